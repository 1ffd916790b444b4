package connectx;

/** Plays games of two classes: M N X SECONDS GAMES CLASS CLASS. Prints how each ended; its end is the end of main. */
public class Tester {
    public static void main(String[] arguments) throws Exception {
        int[] numbers = new int[5];
        for (int n = 0; n < 5; n++) numbers[n] = Integer.parseInt(arguments[n]);
        CXPlayer[] players = new CXPlayer[2];
        for (int n = 0; n < 2; n++)
            players[n] = (CXPlayer) Class.forName(arguments[5 + n]).getDeclaredConstructor().newInstance();
        System.out.println(players[0].playerName());
        for (int game = 0; game < numbers[4]; game++) {
            CXBoard board = new CXBoard(numbers[0], numbers[1], numbers[2]);
            for (int n = 0; n < 2; n++) players[n].initPlayer(board.M, board.N, board.X, n == 0, numbers[3]);
            while (board.gameState() == CXGameState.OPEN)
                board.markColumn(players[board.currentPlayer()].selectColumn(board.copy()));
            System.out.println(board.gameState() + " after " + board.getMarkedCells().length);
        }
    }
}
