package connectx;

/** How a game stands. */
public enum CXGameState {
    OPEN,
    DRAW,
    WINP1,
    WINP2
}
