package mnkgame;

import java.io.IOException;

/** Players that do as they should, and players that do what no player should. */
public class Zoo {
    /** Plays the first free cell, and throws when anything that it is given is not as promised. */
    public static class Careful implements MNKPlayer {
        private MNKBoard board;
        private boolean isFirst;

        @Override
        public void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs) {
            board = new MNKBoard(M, N, K);
            isFirst = first;
        }

        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            MNKCell[] known = board.getMarkedCells();
            for (int n = 0; n < MC.length; n++) {
                if (n >= known.length) board.markCell(MC[n].i, MC[n].j);
                else if (known[n].i != MC[n].i || known[n].j != MC[n].j) throw new IllegalStateException("another order");
                if (MC[n].state != (n % 2 == 0 ? MNKCellState.P1 : MNKCellState.P2)) throw new IllegalStateException("owner");
            }
            if (isFirst != (board.currentPlayer() == 0)) throw new IllegalStateException("it is not my turn");
            if (FC.length + MC.length != board.M * board.N) throw new IllegalStateException("cells are missing");
            for (MNKCell cell : FC)
                if (cell.state != MNKCellState.FREE || board.cellState(cell.i, cell.j) != MNKCellState.FREE)
                    throw new IllegalStateException("not free");
            board.markCell(FC[0].i, FC[0].j);
            return FC[0];
        }

        @Override
        public String playerName() {
            return "Careful\nè";
        }
    }

    /** Its cells say what it was told: row = the seconds, column = 10 times the games so far, and 1 more as first. */
    public static class Tells implements MNKPlayer {
        private int games;
        private int seconds;
        private boolean isFirst;

        @Override
        public void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs) {
            games++;
            seconds = timeout_in_secs;
            isFirst = first;
        }

        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return new MNKCell(seconds, 10 * games + (isFirst ? 1 : 0));
        }

        @Override
        public String playerName() {
            return "Tells";
        }
    }

    /** Prints what looks like answers, to both streams, from another thread and from another program. */
    public static class Prints extends Careful {
        @Override
        public void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs) {
            System.out.println("ok");
            super.initPlayer(M, N, K, first, timeout_in_secs);
        }

        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            System.out.println("move 9,9");
            System.err.println("move 8,8");
            try {
                Thread thread = new Thread(() -> System.out.println("move 7,7"));
                thread.start();
                thread.join();
                new ProcessBuilder("echo", "move 6,6").inheritIO().start().waitFor();
            } catch (IOException | InterruptedException error) {
                throw new IllegalStateException(error);
            }
            return super.selectCell(FC, MC);
        }
    }

    public static class Throws extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            throw new IllegalStateException("no idea\nat all");
        }
    }

    /** Java itself throws, and the line that matters is the player's. */
    public static class ThrowsDeeply extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return FC[new java.util.ArrayList<Integer>().get(5)];
        }
    }

    public static class Overflows extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return selectCell(FC, MC);
        }
    }

    public static class ThrowsInInit extends Careful {
        @Override
        public void initPlayer(int M, int N, int K, boolean first, int timeout_in_secs) {
            throw new UnsupportedOperationException("not today");
        }
    }

    public static class ThrowsWhenMade extends Careful {
        public ThrowsWhenMade() {
            throw new IllegalArgumentException("not born");
        }
    }

    public static class Sleeps extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException error) {
                return null;
            }
            return FC[0];
        }
    }

    public static class ReturnsNull extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return null;
        }
    }

    public static class ReturnsMarked extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return MC.length > 0 ? MC[0] : super.selectCell(FC, MC);
        }
    }

    public static class ReturnsOff extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            return new MNKCell(-1, 99);
        }
    }

    public static class Exits extends Careful {
        @Override
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {
            System.exit(3);
            return null;
        }
    }

    public static class ExitsWhenMade extends Careful {
        public ExitsWhenMade() {
            System.exit(4);
        }
    }

    public static class NeedsArguments extends Careful {
        public NeedsArguments(int depth) {}
    }
}
