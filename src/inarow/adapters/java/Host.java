package inarow.course;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Hosts a player of the course: reads requests, lets the player answer. The other side is inarow/adapters/course.py, which
 * tells what the lines mean.
 *
 * <p>The lines come and go by two pipes of their own, whose numbers are the arguments, and not by standard input and output:
 * those belong to the player, which may print whenever and from wherever it likes, native code included.
 *
 * <p>Everything of the course, the framework and the player, is found by reflection: this file is compiled without it.
 */
public final class Host {
    private static final int LONGEST_TEXT = 300;
    private final Object player;
    private final Course course;

    private Host(String className) throws Refused, ReflectiveOperationException {
        Class<?> type = find(className);
        if (type == null) throw new Refused("there is no class " + className + " on the class path");
        player = newPlayer(type);
        if (isA(MnkCourse.PLAYER)) course = new MnkCourse();
        else if (isA(ConnectXCourse.PLAYER)) course = new ConnectXCourse();
        else throw new Refused(className + " implements neither " + MnkCourse.PLAYER + " nor " + ConnectXCourse.PLAYER);
    }

    private static Object newPlayer(Class<?> type) throws Refused, ReflectiveOperationException {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException | InstantiationException error) {
            throw new Refused(type.getName() + " cannot be made: it has no constructor without arguments");
        }
    }

    private boolean isA(String interfaceName) {
        Class<?> wanted = find(interfaceName);
        return wanted != null && wanted.isInstance(player);
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException error) {
            return null;
        }
    }

    /** The answer to a request: one line. */
    private String answer(String request) throws ReflectiveOperationException {
        String[] words = request.split(" ");
        if (words[0].equals("init")) {
            int[] numbers = new int[4];
            for (int i = 0; i < numbers.length; i++) numbers[i] = Integer.parseInt(words[i + 1]);
            course.init(numbers[0], numbers[1], numbers[2], words[5].equals("first"), numbers[3]);
            return "ok";
        }
        for (String move : Arrays.asList(words).subList(1, words.length)) course.play(move);
        return course.choose();
    }

    // ── the two games of the course ─────────────────────────────────────────────────────────────────────────────────────

    private abstract class Course {
        final String game;
        final Class<?> playerType;

        Course(String game, String playerType) throws ReflectiveOperationException {
            this.game = game;
            this.playerType = Class.forName(playerType);
        }

        final void init(int rows, int columns, int k, boolean first, int seconds) throws ReflectiveOperationException {
            clear(rows, columns, k);
            playerType
                    .getMethod("initPlayer", int.class, int.class, int.class, boolean.class, int.class)
                    .invoke(player, rows, columns, k, first, seconds);
        }

        final String playerName() throws ReflectiveOperationException {
            return String.valueOf(playerType.getMethod("playerName").invoke(player));
        }

        /** An empty board. */
        abstract void clear(int rows, int columns, int k) throws ReflectiveOperationException;

        abstract void play(String move) throws ReflectiveOperationException;

        /** What the player answers: a line. */
        abstract String choose() throws ReflectiveOperationException;
    }

    /** The (M,N,K)-game: the player sees the free cells, and the marked ones in playing order. */
    private final class MnkCourse extends Course {
        static final String PLAYER = "mnkgame.MNKPlayer";
        private final Class<?> cellType = Class.forName("mnkgame.MNKCell");
        private final Class<?> stateType = Class.forName("mnkgame.MNKCellState");
        private final Class<?> cellsType = Array.newInstance(cellType, 0).getClass();
        private final Object first = stateType.getField("P1").get(null);
        private final Object second = stateType.getField("P2").get(null);
        private final Object nobody = stateType.getField("FREE").get(null);
        private final Constructor<?> newCell = cellType.getConstructor(int.class, int.class, stateType);
        private final Method select = playerType.getMethod("selectCell", cellsType, cellsType);
        private final List<Object> marked = new ArrayList<>();
        private final Set<Integer> taken = new HashSet<>();
        private int rows;
        private int columns;

        MnkCourse() throws ReflectiveOperationException {
            super("mnk", PLAYER);
        }

        @Override
        void clear(int rows, int columns, int k) {
            this.rows = rows;
            this.columns = columns;
            marked.clear();
            taken.clear();
        }

        @Override
        void play(String move) throws ReflectiveOperationException {
            String[] numbers = move.split(",");
            int row = Integer.parseInt(numbers[0]);
            int column = Integer.parseInt(numbers[1]);
            marked.add(newCell.newInstance(row, column, marked.size() % 2 == 0 ? first : second));
            taken.add(row * columns + column);
        }

        @Override
        String choose() throws ReflectiveOperationException {
            List<Object> free = new ArrayList<>();
            for (int index = 0; index < rows * columns; index++)
                if (!taken.contains(index)) free.add(newCell.newInstance(index / columns, index % columns, nobody));
            Object chosen = select.invoke(player, array(free), array(marked));
            if (chosen == null) return "null";
            return "move " + cellType.getField("i").getInt(chosen) + "," + cellType.getField("j").getInt(chosen);
        }

        private Object array(List<Object> cells) {
            return cells.toArray((Object[]) Array.newInstance(cellType, 0));
        }
    }

    /** ConnectX: the framework's own board is kept here, and the player gets a copy. */
    private final class ConnectXCourse extends Course {
        static final String PLAYER = "connectx.CXPlayer";
        private final Class<?> boardType = Class.forName("connectx.CXBoard");
        private final Constructor<?> newBoard = boardType.getConstructor(int.class, int.class, int.class);
        private final Method mark = boardType.getMethod("markColumn", int.class);
        private final Method copy = boardType.getMethod("copy");
        private final Method select = playerType.getMethod("selectColumn", boardType);
        private Object board;

        ConnectXCourse() throws ReflectiveOperationException {
            super("connectx", PLAYER);
        }

        @Override
        void clear(int rows, int columns, int k) throws ReflectiveOperationException {
            board = newBoard.newInstance(rows, columns, k);
        }

        @Override
        void play(String move) throws ReflectiveOperationException {
            mark.invoke(board, Integer.parseInt(move));
        }

        @Override
        String choose() throws ReflectiveOperationException {
            return "move " + select.invoke(player, copy.invoke(board));
        }
    }

    // ── lines ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    /** A class that cannot be hosted, and why. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String text) {
            super(text);
        }
    }

    private interface Work {
        String run() throws Exception;
    }

    /** What the work says, or what it failed by. */
    private static String told(Work work) {
        try {
            return work.run();
        } catch (Refused refused) {
            return "refused " + oneLine(refused.getMessage());
        } catch (InvocationTargetException error) {
            return "threw " + describe(error.getCause());
        } catch (Throwable error) {
            return "threw " + describe(error);
        }
    }

    /** An exception's class and message, and where it was thrown: the first frame that is not one of Java's own classes. */
    private static String describe(Throwable error) {
        try {
            String text = oneLine(error.toString());
            StackTraceElement[] frames = error.getStackTrace();
            StackTraceElement place = frames.length == 0 ? null : frames[0];
            for (int i = frames.length - 1; i >= 0; i--)
                if (!frames[i].getClassName().matches("(java|javax|jdk|sun)\\..*")) place = frames[i];
            return text.substring(0, Math.min(text.length(), LONGEST_TEXT)) + (place == null ? "" : " (" + place + ")");
        } catch (Throwable another) { // the exception is the player's own, and fails even at telling what it is
            return error.getClass().getName();
        }
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    /** Reads requests until they end, and ends this program then, whatever the player is doing. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader requests = new BufferedReader(
                new InputStreamReader(new FileInputStream("/dev/fd/" + arguments[0]), StandardCharsets.UTF_8));
        OutputStream answers = new FileOutputStream("/dev/fd/" + arguments[1]);
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        Thread thread = new Thread(() -> serve(arguments[2], asked, answers), "player");
        thread.start();
        String request;
        while ((request = requests.readLine()) != null) asked.add(request);
        Runtime.getRuntime().halt(0);
    }

    private static void serve(String className, BlockingQueue<String> asked, OutputStream answers) {
        Host[] made = new Host[1];
        try {
            send(answers, told(() -> {
                made[0] = new Host(className);
                return "ready " + made[0].course.game + " " + oneLine(made[0].course.playerName());
            }));
            while (true) {
                String request = next(asked);
                send(answers, told(() -> made[0].answer(request)));
            }
        } catch (IOException error) { // nobody listens any more
            Runtime.getRuntime().halt(1);
        }
    }

    /** The next request; a player that interrupts this thread does not end it. */
    private static String next(BlockingQueue<String> asked) {
        while (true) {
            try {
                return asked.take();
            } catch (InterruptedException interrupted) {
                // it waits again
            }
        }
    }

    private static void send(OutputStream answers, String line) throws IOException {
        answers.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        answers.flush();
    }
}
