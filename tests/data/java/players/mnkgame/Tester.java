package mnkgame;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Plays games of two classes: M N K SECONDS GAMES CLASS CLASS. Prints how each ended; whoever is late ends it all. */
public class Tester {
    public static void main(String[] arguments) throws Exception {
        int[] numbers = new int[5];
        for (int n = 0; n < 5; n++) numbers[n] = Integer.parseInt(arguments[n]);
        MNKPlayer[] players = new MNKPlayer[2];
        for (int n = 0; n < 2; n++)
            players[n] = (MNKPlayer) Class.forName(arguments[5 + n]).getDeclaredConstructor().newInstance();
        System.out.println(players[0].playerName());
        for (int game = 0; game < numbers[4]; game++) {
            MNKBoard board = new MNKBoard(numbers[0], numbers[1], numbers[2]);
            for (int n = 0; n < 2; n++) {
                int seat = n;
                timed(numbers[3], () -> {
                    players[seat].initPlayer(board.M, board.N, board.K, seat == 0, numbers[3]);
                    return null;
                });
            }
            while (board.gameState() == MNKGameState.OPEN) {
                MNKPlayer player = players[board.currentPlayer()];
                MNKCell cell = timed(numbers[3], () -> player.selectCell(board.getFreeCells(), board.getMarkedCells()));
                board.markCell(cell.i, cell.j);
            }
            System.out.println(board.gameState() + " after " + board.getMarkedCells().length);
        }
        System.exit(0);
    }

    private static <T> T timed(int seconds, Callable<T> work) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<T> result = executor.submit(work);
        executor.shutdown();
        return result.get(seconds, TimeUnit.SECONDS);
    }
}
