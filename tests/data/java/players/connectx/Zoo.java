package connectx;

/** Players that do as they should, and players that do what no player should. */
public class Zoo {
    /** Plays the first open column, spoils the board it was given, and throws when that is not as promised. */
    public static class Careful implements CXPlayer {
        private CXBoard board;
        private int turn;

        @Override
        public void initPlayer(int M, int N, int X, boolean first, int timeout_in_secs) {
            board = new CXBoard(M, N, X);
            turn = first ? 0 : 1;
        }

        @Override
        public int selectColumn(CXBoard B) {
            if (B.M != board.M || B.N != board.N || B.X != board.X) throw new IllegalStateException("another board");
            if (B.currentPlayer() != turn) throw new IllegalStateException("it is not my turn");
            CXCell[] marked = B.getMarkedCells();
            for (int n = board.getMarkedCells().length; n < marked.length; n++) board.markColumn(marked[n].j);
            for (int i = 0; i < B.M; i++)
                for (int j = 0; j < B.N; j++)
                    if (B.cellState(i, j) != board.cellState(i, j)) throw new IllegalStateException("another cell");
            int column = B.getAvailableColumns()[0];
            board.markColumn(column);
            while (B.gameState() == CXGameState.OPEN) B.markColumn(B.getAvailableColumns()[0]);
            return column;
        }

        @Override
        public String playerName() {
            return "Careful";
        }
    }

    public static class Prints extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            System.out.println("move 99");
            return super.selectColumn(B);
        }
    }

    public static class Throws extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            B.markColumn(-1);
            return 0;
        }
    }

    public static class Sleeps extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            while (true) Thread.onSpinWait();
        }
    }

    /** Plays one column on and on, until it is full. */
    public static class PlaysTheFullColumn extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            return 0;
        }
    }

    public static class ReturnsOff extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            return B.N;
        }
    }

    public static class Exits extends Careful {
        @Override
        public int selectColumn(CXBoard B) {
            Runtime.getRuntime().halt(0);
            return 0;
        }
    }

    /** Implements nothing. */
    public static class NoPlayer {}
}
