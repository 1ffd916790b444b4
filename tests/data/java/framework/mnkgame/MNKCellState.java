package mnkgame;

/** Whose a cell is. */
public enum MNKCellState {
    P1,
    P2,
    FREE
}
