/**
 * `pollingOf`: tells from the structure of a command line whether it waits for something, whatever its result is:
 *
 *   sleep   the command sleeps first (`sleep 30; anything`), sleeps in a loop, or is a program that waits
 *   probe   the command only asks for a state: every part is a read-only question, a print or a filter
 *
 * An action with a pause after it (`./start & sleep 5; ./probe`) counts as work.
 */
import { inOrder } from '../text/in-order.ts';
import { oneOf } from '../text/one-of.ts';

export type Polling = 'sleep' | 'probe';

/** A shorter pause is not a wait, because an agent takes longer to think. */
const SHORTEST_SLEEP_S = 1;

/** A script inside a command is a part of the command. */
const SCRIPT_OF_SHELL = /\b(?:ba|z|da|k)?sh -\w{0,4}c +(['"])/g;
const SUBSTITUTION = /\$\(([^()]{1,300})\)/g;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
/** Redirects that do not change what is asked. A redirect to any other file does. */
const HARMLESS_REDIRECT = /\d?&?>{1,2} ?(?:&\d|\/dev\/\S{1,40}|\/tmp\/\S{1,200})/g;
const BETWEEN_PARTS = /&&|\|\||[;|&\n(){}`]/;

/** Prefixes of a program that do not change what it does. */
const PREFIX = oneOf(
  /^(?:(?:if|elif|while|until|do|then|else|time|sudo|command|exec|!|env)\s+|[A-Za-z_]\w{0,60}=\S{0,200}\s+)/,
  /^timeout(?: -\S{1,20}(?: \d+\w?)?)? [\d.]{1,10}[smhd]?\s+/,
);
const KEYWORD =
  /^(?:done|fi|else|do|then|esac|\]|\]\]|for \w+(?: in\b.*)?|for|timeout [\d.]{1,10}[smhd]?|[\d.\s,]*|[A-Za-z_]\w{0,60}=\S*)$/;

const SLEEP = /^(?:sleep|Start-Sleep(?: -\w+)?) +(\S+)/;
const SCRIPT_SLEEPS = inOrder(
  /^(?:python[\d.]*|node|ruby|perl) -[ce] *['"](?:\s*(?:import|from) [\w., ]{1,60}[;\n])*\s*(?:await )?/,
  /(?:\w{1,20}\.)?sleep\(?\s*([\d.]{1,8})/,
);
const LOOP = /(?:^|[;&|\n({]\s*)(?:until|while|for)\s/;

const WAITS: readonly RegExp[] = [
  /^wait(?:\s|$)/,
  /^watch\s/,
  /^inotifywait\b/,
  /^tail\b.* (?:-\w*[fF]|--follow)\b/,
  /^(?:gh|glab)\b.* watch\b/,
  /^(?:kubectl|oc|k)\b.* (?:wait|rollout status)\b/,
  /^(?:docker|podman|aws|argocd)\b.* wait\b/,
  /^\S*wait[-_]?(?:for|on|until)\b/,
  /\s--(?:watch|wait|follow)\b/,
];

/** Read-only questions about a state. The patterns match subcommands such as "status", not the words of an answer. */
const PROBES: readonly RegExp[] = [
  /^(?:test|\[\[?)\s/,
  /^(?:pg_isready|pgrep|pidof|ps|jobs|lsof|ss|netstat|dig|host|nslookup|squeue|sacct|qstat|bjobs|nvidia-smi|uptime)(?:\s|$)/,
  /^ping\b.* -c\b/,
  /^(?:nc|ncat|netcat)\b.* -\w*z/,
  /^kill -0\b/,
  /^mysqladmin\b.* (?:ping|status)\b/,
  /^redis-cli\b.* (?:ping|info)\b/i,
  /^(?:kubectl|oc|k)\b.* (?:get|describe|top)\b/,
  /^(?:docker|podman|nerdctl|docker-compose)\b.* (?:ps|inspect|ls|stats|port|top|logs)\b/,
  /^(?:gh|glab)\b.* (?:view|list|checks|status|get)\b/,
  /^(?:systemctl|launchctl|supervisorctl|pm2|service|rc-service)\b.* (?:status|is-\w+|show|list|ls|print)\b/,
  /^aws\b.* (?:describe|get|list|head)-/,
  /^(?:gcloud|az|heroku|fly|flyctl|vercel|netlify|railway|helm|argocd|nomad)\b.* (?:describe|show|list|ls|ps|status|get|inspect|history)\b/,
  /^(?!git\b|hg\b|svn\b|jj\b)[\w./-]+(?: \S+){0,3} (?:status|health|ready|healthcheck)(?:\s|$)/,
  /^\S*(?:is[-_]?ready|health[-_]?check|check[-_]?(?:status|health|ready)|[-_./]poll)[\w.-]*(?:\s|$)/,
];
/** One query from the command line: it asks unless it changes something. */
const QUERY =
  /^(?:psql|mysql|mariadb|mongosh?|cqlsh|clickhouse-client)\b.* -{1,2}(?:c|e|eval|command|execute|query)\b/;
const CHANGES_DATA =
  /\b(?:insert|update|delete|create|drop|alter|truncate|grant|replace|load|vacuum|call)\b/i;
/** A probe inside a container asks as it does outside. */
const INSIDE =
  /^(?:docker|podman|nerdctl|kubectl|oc|k|docker-compose)\b.* exec\b(?: -\S{1,20})*(?: \S{1,100})?(?: --)? +(?=\w)/;
/** Yes or no is all that the command says, so even a listing or a search is a question. */
const VERDICT = oneOf(
  /&&\s*(?:echo|printf)\b[^|;&]{0,200}\|\|\s*(?:echo|printf)\b/,
  /;\s*then\s+(?:echo|printf)\b[^;]{0,200};\s*else\s+(?:echo|printf)\b/,
);
const FETCH = /^(?:curl|wget|xh|https?)\s/;
/** The fetch sends something or stores the result, so it is work. `wget` stores unless it is told not to. */
const FETCH_WORKS = oneOf(
  /\s(?:-X ?(?!GET|HEAD)\w|--request (?!GET|HEAD)\w|-d\b|--data|--json|-F\b|--form|-T\b|--upload|--post)/,
  /\s(?:-O(?![ -]*(?:-|\/dev))\b|--remote-name|-o +(?!\/dev|\/tmp|-)\S|--output +(?!\/dev|\/tmp|-)\S)/,
);
const WGET_LOOKS = /\s(?:--spider\b|-\w*O *(?:-|\/dev\/null|\/tmp\/))/;

/** Programs that print or filter; they neither ask nor change anything. */
const COMPANIONS = oneOf(
  /^(?:echo|printf|true|false|:|exit|break|continue|return|cat|head|tail|grep|egrep|rg|jq|yq|sed(?! -\w*i)|awk)(?:\s|$)/,
  /^(?:cut|tr|sort|uniq|wc|date|cd|pwd|ls|stat|seq|set|column|xargs echo|tee \/dev|let|read -t)(?:\s|$)/,
);

/** Joins many patterns into one, because the list is tested for every part of every command. */
const anyOf = (patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
const WAITING = anyOf(WAITS);
const PROBING = anyOf(PROBES);
export function pollingOf(command: string): Polling | null {
  const opened = command.includes('sh -') ? command.replace(SCRIPT_OF_SHELL, ';') : command;
  const parts = partsOf(opened);
  if (CHANGES_DATA.test(command) && parts.some((part) => QUERY.test(part))) return null;
  if (sleepsLongEnough(SCRIPT_SLEEPS.exec(command.trimStart())?.[1])) return 'sleep';
  const kinds = parts.map(kindOfPart);
  if (kinds.includes('waits')) return 'sleep';
  const sleepsAt = kinds.indexOf('sleep');
  if (sleepsAt < 0) {
    const asks = VERDICT.test(opened) || kinds.includes('probe');
    return asks && !kinds.includes('work') ? 'probe' : null;
  }
  const sleepsFirst = kinds.slice(0, sleepsAt).every((kind) => kind === 'companion');
  return sleepsFirst || LOOP.test(opened) || !kinds.includes('work') ? 'sleep' : null;
}

type PartKind = 'waits' | 'sleep' | 'probe' | 'companion' | 'work';

function kindOfPart(part: string): PartKind {
  const sleep = SLEEP.exec(part);
  if (sleep !== null) return sleepsLongEnough(sleep[1]) ? 'sleep' : 'companion';
  if (WAITING.test(part)) return 'waits';
  // The part writes its output into a file.
  if (part.includes('>')) return 'work';
  if (FETCH.test(part)) return fetchLooks(part) ? 'probe' : 'work';
  if (COMPANIONS.test(part) || KEYWORD.test(part)) return 'companion';
  if (PROBING.test(part) || QUERY.test(part)) return 'probe';
  const inside = INSIDE.exec(part)?.[0].length ?? 0;
  return inside === 0 ? 'work' : kindOfPart(part.slice(inside));
}

function fetchLooks(part: string): boolean {
  return !FETCH_WORKS.test(part) && (!part.startsWith('wget') || WGET_LOOKS.test(part));
}

/** A variable may hold any time. Only a number below the shortest sleep is not a wait. */
function sleepsLongEnough(time: string | undefined): boolean {
  return time !== undefined && !(Number.parseFloat(time) < SHORTEST_SLEEP_S && !/[mhd]/.test(time));
}

function partsOf(opened: string): readonly string[] {
  const inner = opened.includes('$(') ? [...opened.matchAll(SUBSTITUTION)].map(([, text = '']) => text) : [];
  const outer = inner.length === 0 ? opened : opened.replace(SUBSTITUTION, '_');
  const bare = /['"]/.test(outer) ? outer.replace(QUOTED, '_').replace(/['"]/g, '') : outer;
  return [bare, ...inner.map((text) => text.replace(QUOTED, '_'))]
    .flatMap((text) => withoutHarmlessRedirects(text).split(BETWEEN_PARTS))
    .map(withoutPrefix)
    .filter((part) => part !== '');
}

export function withoutHarmlessRedirects(command: string): string {
  return command.includes('>') ? command.replace(HARMLESS_REDIRECT, ' ') : command;
}

function withoutPrefix(part: string): string {
  let rest = part.trim();
  for (let next = rest.replace(PREFIX, ''); next !== rest; next = rest.replace(PREFIX, '')) rest = next;
  return rest;
}
