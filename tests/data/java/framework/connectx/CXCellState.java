package connectx;

/** Whose a cell is. */
public enum CXCellState {
    P1,
    P2,
    FREE
}
