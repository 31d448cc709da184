/**
 * `shownElsewhere`, `explainedOnce`, `valueElsewhere`: what another call of the record tells about a failure that repeats: the path or the
 * name under which a listing or a search showed what is not found, the line of ordinary output that explains what the failure names, the
 * file that has the wrong value.
 */
import { groupIn } from '../../../text/group-in.ts';
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { LISTED_LINE } from '../../error-line.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FindReason, Reason } from './find-reason.ts';
import { editsFile } from '../repeated-turns.ts';
import { changes } from '../../detectors/staleness.ts';
import { editedPath, isSamePath } from '../side-effects.ts';

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

/** What is not found was shown by an earlier call under another path, or under a name that begins alike. */
export const shownElsewhere: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  const asked = groupIn(NO_SUCH, turn.errorLine);
  const last = members.at(-1) as RecordedTurn;
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
    ? [
        `${failed} with ${asked}, and worked ${counted(used, 'time')} with the whole path, ${path}; nothing was done with what that told`,
        `Use ${path} from the start. What was looked for is found there: read that place and make the edit.`,
      ]
    : [
        `${asked} is not there from where the calls look, so ${failed}; \`${callText(shown)}\` showed it as ${path}, and that was not used`,
        `Use ${path}, as it was shown, or go to ${root} first (\`cd ${root}\`). It is found: do not search for it again.`,
      ];
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
  return [
    `there is no ${name}: the listing shows ${near}, and ${failed}`,
    `Use the name as it is listed, ${near}${isSameWord ? ', with upper and lower case as there' : ''}.`,
  ];
}

/** A name that stands for one thing: between quotes, or with a mark or a capital inside. */
const NAME =
  /(?<=['"`])[\w.@/:-]{3,60}(?=['"`])|\b(?=\w*[a-z\d][_./:-]?[A-Z]|\w+[_.-]\w)[\w.-]{5,60}\w\b|\b[A-Z]+_[A-Z_]+\b/g;
const EXPLAINS = oneOf(
  /\b(?:deprecated|renamed|moved to|replaced by|removed (?:in|since|from)|no longer|instead|requires?|needs?|must)\b/i,
  /\b(?:only (?:if|when|with|works)|not supported|unsupported|skipp(?:ed|ing)|ignor(?:ed|ing)|disabled)\b/i,
  /\b(?:falls? back|defaults? to|expire[sd]|read-only|warn(?:ing)?|note)\b/i,
);
/** A line of a program, not a sentence. */
const CODE = /[;{}(]\s*$|^\s*(?:\/\/|\/?\*|#|if |for |while |return |throw |raise |import |def |const |let )/;
const LONGEST = 240;

/** A line of another output says something about what the failure names. */
export const explainedOnce: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  if (editsFile(turn)) return null;
  const command = commandOf(turn.input);
  const names = [...new Set(turn.errorLine.match(NAME))].filter((name) => !command.includes(name));
  const last = members.at(-1) as RecordedTurn;
  const usual = new Set(turn.output.split('\n').map((line) => line.trim()));
  for (const other of turns) {
    if (other.step >= last.step || other.kind === 'edit' || names.length === 0) continue;
    const lines = other.output.split('\n').map((line) => line.trim());
    const line = lines.find(
      (each) =>
        each.length <= LONGEST &&
        !usual.has(each) &&
        !LISTED_LINE.test(each) &&
        !CODE.test(each) &&
        EXPLAINS.test(each) &&
        names.some((name) => each.includes(name)),
    );
    if (line === undefined) continue;
    return [
      `\`${callText(turn)}\` failed ${count} times: ${quote(turn.errorLine)}. \`${callText(other)}\` had told why: ${quote(line)}`,
      `Mend what that line says first (${quote(line)}), then run \`${callText(turn)}\` once.`,
    ];
  }
  return null;
};

/** What a check got, in the words of the usual runners. */
const GOT = oneOf(
  /\bexpected:? (['"]?[\w.:/-]{2,60}['"]?) to (?:be|equal|match)\b/i,
  /\b(?:received|actual|got|but was)\b\W{1,6}(['"]?[\w.:/-]{2,60})/i,
  /\bassert (['"]?[\w.:/-]{2,60}['"]?) ==/,
  /\bleft: (['"]?[\w.:/-]{2,60})/,
);
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/;

export const valueElsewhere: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  if (editsFile(turn)) return null;
  const value = groupIn(GOT, turn.output)?.replace(/^['"]|['"]$/g, '');
  const edited = turns.flatMap((each) => (changes(each) ? (editedPath(each) ?? []) : []));
  const last = members.at(-1) as RecordedTurn;
  if (value === undefined || edited.length === 0) return null;
  const whole = new RegExp(`(?<![\\w.])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.])`);
  for (const search of turns.filter(({ kind, step }) => kind === 'search' && step < last.callStep)) {
    const hits = search.output
      .split('\n')
      .flatMap((line) => (HIT.exec(line.trim()) === null ? [] : [HIT.exec(line.trim()) as RegExpExecArray]));
    const isAbout = hits.some(([, path = '']) => edited.some((each) => isSamePath(each, path)));
    const found = hits.find(
      ([, path = '', , text = '']) =>
        whole.test(text) &&
        !turns.some(({ kind, input }) => kind !== 'search' && kind !== 'test' && input.includes(path)),
    );
    if (!isAbout || found === undefined) continue;
    const [, path, row, text = ''] = found;
    return [
      [
        `\`${callText(turn)}\` gets ${value} in all ${count} runs, and that stands in ${path}, line ${row}: ${quote(text)}.`,
        `\`${callText(search)}\` showed it; no call opened that file, and the edits went to ${[...new Set(edited)].join(', ')}`,
      ].join(' '),
      `Open ${path}, line ${row}: the value comes from there. Change it there, and run \`${callText(turn)}\` once.`,
    ];
  }
  return null;
};
