/** `shownElsewhere`: what is not found was shown by an earlier call under another path, or under a name that begins alike. */
import { counted } from '../../../text/counted.ts';
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FindReason, Reason } from './find-reason.ts';

const NO_SUCH = oneOf(
  /(?:^|[\s'"‘`:])([\w.@+/-]+?)\/?['"’`]?: no such file|no such file or directory[:,]? ?['"]?([\w.@+/-]+)/i,
  /can(?:no|')t (?:find|open) (?:module |file )?['"]?([\w.@+/-]+)/i,
  /\b(?:file|path|folder|directory)(?: name)? ['"]?([\w.@+/-]+)['"]? (?:was )?not found/i,
  /\b(?:file|path|folder|directory) ['"]?([\w.@+/-]+)['"]? does not exist/i,
);
const PATH = /(?:[A-Za-z]:)?[\w.@+-]{0,80}(?:\/[\w.@+-]{1,80}){1,40}/g;
const LISTS = /(?:^|[;&|\n]\s*)(?:ls|dir|tree|find|fd)\b/;
const LISTED_NAMES = 12;
const SHARED_CHARS = 3;

export const shownElsewhere: FindReason = ({ turns, failure: { turn, last, count } }) => {
  const asked = groupIn(NO_SUCH, turn.errorLine);
  if (asked === undefined) return null;
  const worked = turns.filter((each) => !each.failed);
  const before = worked.filter((each) => each.step < last.callStep);
  const failed = `\`${callText(turn)}\` failed ${count} times`;
  const path = wholePath(before, asked);
  if (path === null) return nearName(before, asked, failed);
  const used = worked.filter(({ input, tool }) => tool === turn.tool && input.includes(path[0])).length;
  return pathTold(asked, failed, path, used);
};

/** The first whole path of it that a call was given or showed, and that call. */
function wholePath(
  before: readonly RecordedTurn[],
  asked: string,
): readonly [path: string, shown: RecordedTurn] | null {
  const tail = withoutDots(asked);
  // A bare name may stand at the end of many paths.
  if (!tail.includes('/') && !/\.\w+$/.test(tail)) return null;
  for (const shown of before) {
    const paths = `${shown.input}\n${shown.output}`.match(PATH);
    const path = paths?.find((each) => each.endsWith(`/${tail}`) && each !== asked);
    if (path !== undefined) return [path, shown];
  }
  return null;
}

function pathTold(
  asked: string,
  failed: string,
  [path, shown]: readonly [string, RecordedTurn],
  used: number,
): Reason {
  const root = path.slice(0, -withoutDots(asked).length);
  return used > 0
    ? {
        cause: `${failed} with ${asked}, and worked ${counted(used, 'time')} with the whole path, ${path}`,
        startHere: `Use ${path} from the start. What it tells is known: if something is still missing, search the tree for that.`,
      }
    : {
        cause:
          `${asked} is not found from where the calls look, so ${failed}; ` +
          `\`${callText(shown)}\` showed ${path}, and no such call was made with that`,
        startHere: `Use ${path}, as it was shown, or go to ${root} first (\`cd ${root}\`).`,
      };
}

function withoutDots(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '');
}

function nearName(before: readonly RecordedTurn[], asked: string, failed: string): Reason | null {
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  const listing = before.findLast(({ input }) => LISTS.test(commandOf(input)));
  if (listing === undefined) return null;
  const names = listing.output.split(/\s+/).filter((each) => each !== '');
  const begin = name.slice(0, SHARED_CHARS).toLowerCase();
  const near = names.find((each) => each.slice(0, SHARED_CHARS).toLowerCase() === begin);
  const isSameWord = near?.toLowerCase().startsWith(name.toLowerCase()) === true;
  if (names.length > LISTED_NAMES || near === undefined || near.replace(/[/*@]$/, '') === name) return null;
  return {
    cause: `the last listing has no ${name}, but ${near}; ${failed}`,
    startHere: `If that is meant, use the name as it is listed, ${near}${isSameWord ? ', with upper and lower case as there' : ''}.`,
  };
}
