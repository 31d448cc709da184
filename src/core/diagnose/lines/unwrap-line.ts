/** `unwrapLine`: takes off one line what a CI service, a container builder or a log shipper put before it. The indent behind it stays. */

export interface Unwrapped {
  readonly shown: string;
  /** The step or the job that the wrapper names; lines of one job belong together. */
  readonly job: string;
}

/** GitHub Actions stamps carry seven digits; GitLab and Buildkite stamps three to nine and a mark of the stream. */
const ACTIONS_STAMP = /^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?/;
const STREAM_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z (?:\d\d[OE][ +]|(?:stdout|stderr) [FP] )/;
const BUILDKIT = /^#(?<vertex>\d{1,4}) (?:\d{1,6}\.\d{1,3}(?: |$))?(?=\S|\s|$)/;
/** `gh run view --log`: job, step and stamp, divided by tabs. */
const STEP_COLUMNS =
  /^(?<job>[^\t]{1,120}\t[^\t]{1,200})\t(?:\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?)?/;
const LEVEL_MARK = /^##\[(?<level>error|warning|notice|debug)\]/;
const COMMAND_MARK = /^(?:##)?\[command\](?=\S)/;
const ANNOTATION =
  /^::(?<level>error|warning|notice|debug)(?: (?<where>[^:]{1,400}(?::[^:]{1,200})?))?::(?<said>.*)$/;

/** A builder inside a CI step: the inner name tells more than the outer one. */
export function unwrapLine(shown: string): Unwrapped {
  const outer = unwrapOnce(shown);
  if (outer.shown === shown) return outer;
  const inner = unwrapOnce(outer.shown);
  return { shown: inner.shown, job: inner.job || outer.job };
}

function unwrapOnce(shown: string): Unwrapped {
  const first = shown.charCodeAt(0);
  // Most lines have no wrapper: a digit, a sign of a mark or a tab must be there.
  if (
    !(first >= 0x30 && first <= 0x39) &&
    first !== 0x23 &&
    first !== 0x3a &&
    first !== 0x5b &&
    first !== 0xfeff
  )
    return shown.includes('\t') ? columns(shown) : { shown, job: '' };
  const stamp = ACTIONS_STAMP.exec(shown) ?? STREAM_STAMP.exec(shown);
  if (stamp !== null) return { shown: unmarked(shown.slice(stamp[0].length)), job: '' };
  const vertex = BUILDKIT.exec(shown);
  if (vertex !== null && (vertex[0].includes('.') || BUILDKIT_WORD.test(shown.slice(vertex[0].length))))
    return { shown: shown.slice(vertex[0].length), job: `#${vertex.groups?.['vertex'] ?? ''}` };
  if (shown.includes('\t')) {
    const split = columns(shown);
    if (split.job !== '') return split;
  }
  return { shown: unmarked(shown), job: '' };
}

const BUILDKIT_WORD =
  /^(?:\[[^\]]{1,60}\]|DONE |CACHED$|ERROR: |CANCELED|sha256:|exporting |naming to|writing |resolve |transferring |extracting )/;

function columns(shown: string): Unwrapped {
  const found = STEP_COLUMNS.exec(shown);
  // Columns without a stamp are a table, unless the step is one that the service itself names.
  if (found === null || !(/Z ?$/.test(found[0]) || found[0].endsWith('\tUNKNOWN STEP\t')))
    return { shown, job: '' };
  return { shown: unmarked(shown.slice(found[0].length)), job: found.groups?.['job'] ?? '' };
}

/** `##[error]text` is the text; an annotation says where, which is told as a compiler would. */
function unmarked(shown: string): string {
  if (shown.startsWith('##[') || shown.startsWith('[command]')) {
    const marked = LEVEL_MARK.exec(shown);
    if (marked !== null) return levelled(marked.groups?.['level'] ?? '', shown.slice(marked[0].length));
    return shown.replace(COMMAND_MARK, '$ ');
  }
  if (!shown.startsWith('::')) return shown;
  const note = ANNOTATION.exec(shown)?.groups;
  if (note === undefined) return shown;
  const where = note['where'] ?? '';
  const file = /(?:^|,)file=(?<file>[^,]{1,300})/.exec(where)?.groups?.['file'];
  const said = (note['said'] ?? '').replaceAll('%0A', ' ').replaceAll('%25', '%');
  if (file === undefined) return levelled(note['level'] ?? '', said);
  const row = /(?:^|,)line=(?<row>\d{1,7})/.exec(where)?.groups?.['row'];
  const column = /(?:^|,)col=(?<col>\d{1,6})/.exec(where)?.groups?.['col'];
  const place = [file, row, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${note['level'] === 'notice' ? 'note' : note['level']}: ${said}`;
}

function levelled(level: string, said: string): string {
  return level === 'error' || said === '' ? said : `${level === 'notice' ? 'note' : level}: ${said}`;
}
