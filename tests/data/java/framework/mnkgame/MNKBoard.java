package mnkgame;

import java.util.ArrayList;
import java.util.List;

/** A board that players may keep for themselves. */
public class MNKBoard {
    private static final int[][] STEPS = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    public final int M;
    public final int N;
    public final int K;
    private final List<MNKCell> marked = new ArrayList<>();
    private MNKGameState state = MNKGameState.OPEN;

    public MNKBoard(int M, int N, int K) {
        this.M = M;
        this.N = N;
        this.K = K;
    }

    public MNKGameState markCell(int i, int j) {
        if (state != MNKGameState.OPEN) throw new IllegalStateException("the game is over");
        if (i < 0 || i >= M || j < 0 || j >= N) throw new IndexOutOfBoundsException(i + "," + j);
        if (cellState(i, j) != MNKCellState.FREE) throw new IllegalStateException(i + "," + j + " is marked");
        boolean isFirst = currentPlayer() == 0;
        marked.add(new MNKCell(i, j, isFirst ? MNKCellState.P1 : MNKCellState.P2));
        if (isWin(i, j)) state = isFirst ? MNKGameState.WINP1 : MNKGameState.WINP2;
        else if (marked.size() == M * N) state = MNKGameState.DRAW;
        return state;
    }

    public void unmarkCell() {
        marked.remove(marked.size() - 1);
        state = MNKGameState.OPEN;
    }

    public MNKCellState cellState(int i, int j) {
        for (MNKCell cell : marked) if (cell.i == i && cell.j == j) return cell.state;
        return MNKCellState.FREE;
    }

    public MNKGameState gameState() {
        return state;
    }

    public int currentPlayer() {
        return marked.size() % 2;
    }

    public MNKCell[] getMarkedCells() {
        return marked.toArray(new MNKCell[0]);
    }

    public MNKCell[] getFreeCells() {
        List<MNKCell> free = new ArrayList<>();
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) if (cellState(i, j) == MNKCellState.FREE) free.add(new MNKCell(i, j));
        return free.toArray(new MNKCell[0]);
    }

    private boolean isWin(int i, int j) {
        for (int[] step : STEPS)
            if (run(i, j, step[0], step[1]) + run(i, j, -step[0], -step[1]) - 1 >= K) return true;
        return false;
    }

    private int run(int i, int j, int down, int right) {
        MNKCellState owner = cellState(i, j);
        int length = 0;
        while (i >= 0 && i < M && j >= 0 && j < N && cellState(i, j) == owner) {
            length++;
            i += down;
            j += right;
        }
        return length;
    }
}
