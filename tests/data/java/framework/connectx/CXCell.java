package connectx;

/** A cell: row i from the top, column j from the left. */
public class CXCell {
    public final int i;
    public final int j;
    public final CXCellState state;

    public CXCell(int i, int j, CXCellState state) {
        this.i = i;
        this.j = j;
        this.state = state;
    }

    public CXCell(int i, int j) {
        this(i, j, CXCellState.FREE);
    }
}
