package connectx;

import java.util.ArrayList;
import java.util.List;

/** A board on which stones fall to row M - 1. */
public class CXBoard {
    private static final int[][] STEPS = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    public final int M;
    public final int N;
    public final int X;
    private final List<CXCell> marked = new ArrayList<>();
    private CXGameState state = CXGameState.OPEN;

    public CXBoard(int M, int N, int X) {
        this.M = M;
        this.N = N;
        this.X = X;
    }

    public CXBoard copy() {
        CXBoard twin = new CXBoard(M, N, X);
        twin.marked.addAll(marked);
        twin.state = state;
        return twin;
    }

    public CXGameState markColumn(int column) {
        if (state != CXGameState.OPEN) throw new IllegalStateException("the game is over");
        if (fullColumn(column)) throw new IllegalStateException("column " + column + " is full");
        int row = M - 1;
        while (cellState(row, column) != CXCellState.FREE) row--;
        boolean isFirst = currentPlayer() == 0;
        marked.add(new CXCell(row, column, isFirst ? CXCellState.P1 : CXCellState.P2));
        if (isWin(row, column)) state = isFirst ? CXGameState.WINP1 : CXGameState.WINP2;
        else if (marked.size() == M * N) state = CXGameState.DRAW;
        return state;
    }

    public void unmarkColumn() {
        marked.remove(marked.size() - 1);
        state = CXGameState.OPEN;
    }

    public boolean fullColumn(int column) {
        return cellState(0, column) != CXCellState.FREE;
    }

    public Integer[] getAvailableColumns() {
        List<Integer> columns = new ArrayList<>();
        for (int column = 0; column < N; column++) if (!fullColumn(column)) columns.add(column);
        return columns.toArray(new Integer[0]);
    }

    public CXCell[] getMarkedCells() {
        return marked.toArray(new CXCell[0]);
    }

    public CXCellState cellState(int i, int j) {
        if (i < 0 || i >= M || j < 0 || j >= N) throw new IndexOutOfBoundsException(i + "," + j);
        for (CXCell cell : marked) if (cell.i == i && cell.j == j) return cell.state;
        return CXCellState.FREE;
    }

    public CXGameState gameState() {
        return state;
    }

    public int currentPlayer() {
        return marked.size() % 2;
    }

    private boolean isWin(int i, int j) {
        for (int[] step : STEPS)
            if (run(i, j, step[0], step[1]) + run(i, j, -step[0], -step[1]) - 1 >= X) return true;
        return false;
    }

    private int run(int i, int j, int down, int right) {
        CXCellState owner = cellState(i, j);
        int length = 0;
        while (i >= 0 && i < M && j >= 0 && j < N && cellState(i, j) == owner) {
            length++;
            i += down;
            j += right;
        }
        return length;
    }
}
