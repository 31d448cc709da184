/**
 * `shapeOf`: what kind of line it is, without its meaning. `authority` says how surely a line of this shape states a failure: an exception
 * header does, a log record with level INFO does not, whatever words it holds.
 */
import { complains } from '../complaint.ts';
import {
  COMMIT,
  COMPILATION,
  COUNTED,
  DIAGNOSTIC,
  EXCEPTION,
  FRAME,
  JSON_ERROR,
  NAMED_EXCEPTION,
  OWN_PROSE,
  PASS,
  PLACED,
  RUBY,
  RULE,
  SOURCE,
  STATEMENT,
  STRERROR,
  SUMMARY,
  TEMPER,
  TEST_MARK,
  TOLD,
  TOOL_NUMBER,
  WRAPPER,
  ZERO,
} from './line-patterns.ts';
import type { Line } from './read-lines.ts';
import { placeTold } from './place-told.ts';
import { type Level, stripPrefixes } from './strip-prefixes.ts';

export type ShapeKind =
  | 'blank'
  | 'frame'
  | 'source'
  | 'pass'
  | 'note'
  | 'wrapper'
  | 'test-mark'
  | 'log'
  | 'json'
  | 'diagnostic'
  | 'exception'
  | 'statement'
  | 'text';

export interface Shape {
  readonly kind: ShapeKind;
  readonly authority: number;
  readonly level: Level;
  /** The line without prefixes such as `E   `, `npm error`, a time stamp or a level. */
  readonly body: string;
  /** What a recogniser may read: the message, without file names and test names. */
  readonly message: string;
  /** Of an exception. */
  readonly name: string;
  readonly file: string;
  readonly row: number;
  /** The program says itself that it goes on. */
  readonly tempered: boolean;
  /** It names a line of some text, or the rule of a checker: the text is what is wrong. */
  readonly placed: boolean;
}

/** What is wrong in such a line of a file is data, not source. */
const OF_DATA = /\b(?:values?|fields?|records?|rows?|numeric|numbers?|entry|entries)\b/i;

const BASE: Readonly<Record<Level, number>> = { fatal: 0.75, error: 0.6, warning: 0.15, info: 0.05, none: 0 };

export function shapeOf(line: Line): Shape {
  const text = line.text;
  const make = (kind: ShapeKind, authority: number, more: Partial<Shape> = {}): Shape => {
    const tempered = more.tempered ?? TEMPER.test(text);
    return {
      kind,
      authority,
      level: 'none',
      body: text,
      message: text,
      name: '',
      file: '',
      row: 0,
      tempered,
      placed: false,
      ...more,
    };
  };
  if (text === '') return make('blank', 0);
  if (FRAME.test(text)) return make('frame', 0);
  if (PASS.test(text)) return make('pass', 0);
  const place = placeTold(text);
  if (place !== null) return make('diagnostic', place.authority, place);
  if (SOURCE.test(text) && !/^[|│] (?:Error|error)/.test(text)) return make('source', 0);
  if (COMMIT.test(text) || TOLD.test(text)) return make('note', 0);
  if (ZERO.test(text) && !COUNTED.test(text)) return make('note', 0);
  if (OWN_PROSE.test(text)) return make('note', 0);
  const pytest = /^E\s{3,}\S/.test(line.raw) ? text.slice(2) : '';
  if (pytest !== '' && (FRAME.test(pytest) || SOURCE.test(pytest))) return make('source', 0);
  if (pytest !== '' && !EXCEPTION.test(pytest))
    return make('exception', /^assert\b/.test(pytest) ? 0.88 : 0.62, {
      level: 'error',
      body: pytest,
      message: pytest,
    });
  if (/^[✖✗×] \d+ problems? \(/.test(text)) return make('wrapper', 0.4);
  if (COMPILATION.test(text)) return make('wrapper', 0.3);
  if (WRAPPER.test(text) || (COUNTED.test(text) && SUMMARY.test(text)))
    return text.endsWith('(ignored)') ? make('note', 0) : make('wrapper', 0.3);
  if (
    /^={3,} .{1,60} ={3,}$|^-{3,}$|^={3,}$|^[\w./-]{1,100}:$/.test(text) &&
    !/^(?:Errors?|ERRORS?|FATAL|Exception|FAIL(?:ED|URES?)?|\w{3,80}(?:Error|Exception)):$/.test(text)
  )
    return make('note', 0);

  const tuple = /^\*\* \((?<name>[\w.]{1,80})\) /.exec(text)?.groups?.['name'];
  if (tuple !== undefined) return make('exception', 0.92, { level: 'error', name: tuple });
  if (text.startsWith('Failure/Error: ')) return make('source', 0);
  const located = /^[\w./+-]{1,60}: (?<file>[^\s:]{1,200}\.\w{1,6}):(?<row>\d{1,7}): (?<msg>.{1,1500})$/.exec(
    text,
  )?.groups;
  if (located !== undefined)
    return make('statement', 0.85, {
      level: 'error',
      file: located['file'] ?? '',
      row: Number(located['row']),
      message: located['msg'] ?? '',
    });
  // A table of rows or a tuple that was printed is data.
  if (/^(?:\[\(|\(\d{1,12}, )|^[A-Za-z_$][\w.$[\]"']{0,120} = .{1,1000};$/.test(text)) return make('note', 0);
  const coded = /^[A-Z]{1,5}\d{2,5} \[?ERROR\]?: (?<msg>.{1,1500})$/.exec(text)?.groups;
  if (coded !== undefined) return make('diagnostic', 0.86, { level: 'error', message: coded['msg'] ?? '' });
  if (/\.{6,} ?(?:Failed|FAILED)$/.test(text))
    return make('diagnostic', 0.8, { level: 'error', message: '' });
  const announced = /^(?:Errors|ERRORS|FAIL(?:ED|URES?)?):$/.test(text);
  if (announced) return make('statement', 0.6, { level: 'error', message: '' });
  const classed =
    /^(?:[A-Z][a-z]{1,20} )?error \((?<name>\w{1,80}(?:Exception|Error))\) (?:at|in|while)\b/.exec(
      text,
    )?.groups;
  if (classed !== undefined) return make('exception', 0.9, { level: 'error', name: classed['name'] ?? '' });
  const stripped = stripPrefixes(text);
  const { body, level, stamped } = stripped;
  const isLog = stamped || stripped.tagged;

  const ruby = RUBY.exec(body);
  if (ruby?.groups !== undefined) {
    const { file = '', row = '0', msg = '', name = '' } = ruby.groups;
    return make('exception', 0.92, {
      body,
      level: 'error',
      name,
      file,
      row: Number(row),
      message: `${msg} (${name})`,
    });
  }
  const thrown = EXCEPTION.exec(body) ?? NAMED_EXCEPTION.exec(body);
  if (thrown !== null && !(thrown.groups?.['name'] ?? '').endsWith('Warning')) {
    const name = thrown.groups?.['name'] ?? thrown.groups?.['panic'] ?? '';
    // A bare "Error:" behind a tag or a clock is a log line that speaks of an error; a named class is one that was thrown.
    const authority = isLog && /^(?:\w{0,3}Error)$/.test(name) ? 0.6 : stripped.pytest || !isLog ? 0.9 : 0.72;
    return make('exception', authority, { body, level: 'error', name, message: body });
  }
  const die = /^(?<msg>.{1,1500}) at (?<file>[\w./-]{1,200}) line (?<row>\d+)(?:, near .{1,200})?\.?$/.exec(
    body,
  );
  if (die?.groups !== undefined) {
    const { msg = '', file = '', row = '0' } = die.groups;
    return make('exception', 0.85, { body, level: 'error', message: msg, file, row: Number(row) });
  }
  const bare =
    /^(?:[✖✗×✘✕] ?(?<marked>(?=\d)))?(?<row>\d+):\d+ {1,6}(?:- )?(?:(?<sev>error|warning|info)\b:? |(?<mark>[✖✗×✘]):? |(?=\S))/.exec(
      text,
    );
  const crossed = bare?.groups?.['mark'] !== undefined || bare?.groups?.['marked'] !== undefined;
  if (bare?.groups !== undefined && (crossed || bare.groups['sev'] !== undefined)) {
    const mild = bare.groups['sev'] !== 'error' && !crossed;
    return make('diagnostic', mild ? 0.22 : 0.86, {
      body,
      level: mild ? 'warning' : 'error',
      row: Number(bare.groups['row']),
      message: text.slice(bare[0].length),
    });
  }
  const diagnostic = DIAGNOSTIC.exec(body);
  if (diagnostic?.groups !== undefined && /[./]|file$|^-$/.test(diagnostic.groups['file'] ?? '')) {
    const { file = '', row = '0', sev = '' } = diagnostic.groups;
    const message = body.slice(diagnostic[0].length - sev.length);
    if (
      sev !== '' ||
      diagnostic.groups['col'] !== undefined ||
      /^[:(]?\d+\)?: /.test(body.slice(file.length))
    ) {
      const mild =
        /^(?:warning|note|info|style|convention|refactor|remark|hint|[WCRD])/i.test(sev) ||
        /^\w{0,40}Warning: /.test(message);
      const strong =
        /error|^E|^F/i.test(sev) ||
        /^(?:syntax|parser?|type|name|lex\w{0,8}|semantic) error\b/i.test(message) ||
        message.startsWith('*** ') ||
        level === 'error';
      const authority = mild ? 0.22 : strong ? 0.86 : 0.45;
      return make('diagnostic', authority, {
        body,
        level: mild ? 'warning' : 'error',
        file,
        row: Number(row),
        message,
      });
    }
  }
  if (level === 'warning' || level === 'info')
    return make('log', BASE[level], { body, level, message: body });
  if (stripped.mark || TEST_MARK.test(text)) {
    const dash = body.indexOf(' - ');
    const plain = /^(?:Timed out|Timeout\b|No tests|Couldn't find|Uncaught|Unhandled|Rejected|Error: )/.test(
      body,
    );
    const message = plain ? body : dash > 0 && /^(?:FAILED|ERROR) /.test(text) ? body.slice(dash + 3) : '';
    return make('test-mark', 0.7, { body, level: 'error', message });
  }
  if (isLog && level !== 'none') return make('log', BASE[level], { body, level, message: body });
  if (text.startsWith('curl: (22)')) return make('statement', 0.45, { body, level: 'error', message: body });
  if (/^! \[(?:remote )?rejected\]/.test(text)) return make('statement', 0.87, { level: 'error' });
  const behind = isLog ? null : PLACED.exec(body);
  const placed = (behind !== null && !OF_DATA.test(body)) || RULE.test(body);
  if (STATEMENT.test(body) || STRERROR.test(body) || level === 'error' || level === 'fatal')
    return make('statement', isLog ? 0.66 : 0.85, { body, level: 'error', message: body, placed });
  if (
    /^(?:(?:[A-Z][\w-]{1,30} ){1,3}[Ee]rror(?: \(.{1,80}?\))?: \S|Error in .{0,300} ?: |Unhandled [A-Z][\w-]{2,80}|[\w.-]{1,40}: E\d{3,7}: |ERROR! |[\w./-]{1,60}: \[(?:emerg|error|crit|alert|fatal)\] |>{0,2} ?Issue: \[|[\w.-]{1,40} aborted!$|Warning, treated as error:$)/.test(
      body,
    )
  )
    return make('statement', 0.85, { body, level: 'error', message: body });
  if (TOOL_NUMBER.test(body))
    return make('statement', isLog ? 0.6 : 0.72, { body, level: 'error', message: body, placed });
  if (JSON_ERROR.test(body)) return make('json', 0.6, { body, message: body });
  if (
    behind !== null &&
    !body.endsWith(':') &&
    (/\bcol/i.test(behind[0]) || behind.groups?.['file'] !== undefined || complains(body))
  )
    return make('statement', 0.55, {
      body,
      level: 'error',
      file: behind.groups?.['file'] ?? '',
      row: Number(behind.groups?.['row']),
      message: body,
      placed,
    });
  // `prog: message` is how programs complain, and how they greet: it counts only when nothing better does.
  if (
    !isLog &&
    /^(?:[\w./+@-]{1,60}|[a-z][\w-]{1,30} [a-z][\w-]{1,30}): (?!\d)\S/.test(body) &&
    !/^https?:/.test(body)
  )
    return make('text', complains(body) ? 0.54 : 0.3, { body, message: body });
  return make('text', 0, { body, message: body });
}
