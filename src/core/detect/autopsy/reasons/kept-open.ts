/**
 * `keptOpen`: of a program that is ended by its time limit again and again, the lines of unedited files that start what keeps a process
 * alive: a timer, a server, a watcher, a thread. It may be that, and nothing proves it.
 */
import { oneOf } from '../../../text/one-of.ts';
import { quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';
import type { Lead } from './lead.ts';
import { fileShown, placeShown, type ShownLine, shownLines } from './record-facts.ts';
import { TEST_FILE } from './switched-off.ts';

const KEEPS_ALIVE = oneOf(
  /\bsetInterval\(|\.listen\(|\bfs\.watch\w*\(|\bwatchFile\(|\bchokidar\.watch\(|\bnew Worker\(/,
  /\bthreading\.(?:Timer|Thread)\(|\bThread\(target=|\bserve_forever\(|\bBackgroundScheduler\(|\brun_forever\(/,
  /\bExecutors\.new\w+\(|\bnew Timer\(|\btime\.NewTicker\(|\bhttp\.ListenAndServe\(/,
);
/** The line itself lets the process end. */
const LETS_GO = /\.unref\(|daemon ?= ?True|\bnew Timer\(true\)/;
const COMMENT = /^(?:\/\/|#|\*|\/\*|--|<!--)/;
const NUMBER = /^\s{0,8}\d{1,6}(?:: ?|\t|\||→)/;

/** What stands at the margin runs as soon as the file is loaded. */
function isAtMargin({ shown }: ShownLine): boolean {
  return /^\S/.test(shown.replace(NUMBER, ''));
}

export function keptOpen(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const ended = failure.turns.filter((turn) => turn.ended === 'timed out');
  if (ended.length < 2 || ended.length * 2 < failure.count) return [];
  const edited = editedPaths(turns.filter(changes));
  const found = shownLines(record).filter((each) => {
    const file = fileShown(each.turn);
    return (
      file !== null &&
      !TEST_FILE.test(file) &&
      !edited.some((path) => isSamePath(path, file)) &&
      KEEPS_ALIVE.test(each.line) &&
      !LETS_GO.test(each.line) &&
      !COMMENT.test(each.line)
    );
  });
  const line = found.find(isAtMargin) ?? found[0];
  if (line === undefined) return [];
  const place = `${placeShown(line)} (\`${quote(line.line)}\`)`;
  const when = isAtMargin(line) ? ', as soon as the file is loaded' : '';
  return [
    {
      told: `${place} starts what can keep a process alive${when}, and no edit touched it`,
      look: `Look at ${place}: if nothing stops that when the work is done, stop it, or let it not hold the process`,
    },
  ];
}
