package mnkgame;

/** How a game stands. */
public enum MNKGameState {
    OPEN,
    DRAW,
    WINP1,
    WINP2
}
