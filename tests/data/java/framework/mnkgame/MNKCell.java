package mnkgame;

/** A cell: row i from the top, column j from the left. */
public class MNKCell {
    public final int i;
    public final int j;
    public final MNKCellState state;

    public MNKCell(int i, int j, MNKCellState state) {
        this.i = i;
        this.j = j;
        this.state = state;
    }

    public MNKCell(int i, int j) {
        this(i, j, MNKCellState.FREE);
    }
}
