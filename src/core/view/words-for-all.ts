/** `wordsForAll`: the words of a question whose one answer serves several runs: who tries first, and what happens to the others. */
import type { AccountHeld } from '../fleet/account-held.ts';
import { sparedWords, stillWaiting } from '../fleet/hold-words.ts';
import { counted } from '../text/counted.ts';

export interface AskedForAll {
  /** The run that asks. After the answer it tries first. */
  readonly asker: string;
  readonly runs: readonly string[];
  /** Those that something else keeps after the answer: other holds by their words; none: a pause of its own. */
  readonly staying: readonly { readonly run: string; readonly waits: readonly string[] }[];
  /** Where a login is asked for: whose it is and how it is renewed, as far as Mayday knows that. */
  readonly login: RefusedLogin | null;
}

export interface RefusedLogin extends Pick<AccountHeld, 'agent' | 'account' | 'tag'> {
  /** The command line that renews it; null: not known. */
  readonly command: string | null;
  /** The variables that may hold its key. */
  readonly keys: readonly string[];
  /** The names of the hosts of its runs. */
  readonly hosts: readonly string[];
}

interface Words {
  readonly id: string;
  readonly label: string;
  readonly effect: string;
}

interface Served {
  /** The runs that the option is for. */
  readonly serves: string;
}

export function wordsForAll<Option extends Words>(
  question: { readonly text: string; readonly options: readonly Option[] },
  all: AskedForAll,
) {
  const { text, options } = question;
  return {
    text: `${text} One answer serves ${servedWords(all)}.`,
    whyNow: `${all.asker} met it; ${othersOf(all, 'would meet it too', 'would meet it too')}, and you are asked once`,
    todo: todoOf(all),
    /** Why other runs of the same login are not stopped; null: no login is asked for. */
    spared: all.login === null ? null : sparedWords('login'),
    /** The command line of `todo`, to be copied; null: it has none. */
    command: all.login?.command ?? null,
    options: options.map((option) => ({ ...option, ...optionForAll(option, all) })),
  };
}

function todoOf({ login, asker }: AskedForAll): string | null {
  if (login === null) return null;
  const { agent, account, tag, hosts, command, keys } = login;
  const whose = `the login of ${agent} (${account === null ? `an account without a name, ${tag}` : `account ${account}`})`;
  const where = `on ${hosts.length === 1 ? 'host' : 'the hosts'} ${hosts.join(', ')}, as the user of these runs`;
  const then = `Then answer here; ${asker} tries first.`;
  if (command !== null) return `Renew ${whose} with \`${command}\` ${where}. ${then}`;
  if (keys.length > 0)
    return `Renew ${whose} with a valid key in ${keys.map((key) => `\`${key}\``).join(' or ')} ${where}. ${then}`;
  return (
    `Mayday knows no command that renews ${whose}. Renew it as you first set it up ${where}: by its own login command, ` +
    `or by a new key in the variable or file that it reads. Start ${agent} once by hand to see that it works. ${then} ` +
    `If you cannot renew it, stop ${asker}: the next run asks.`
  );
}

function optionForAll({ id, label, effect }: Words, all: AskedForAll): Omit<Words, 'id'> & Served {
  const { asker } = all;
  if (id === 'retry')
    return {
      label: `${label}, ${asker} first, then ${heldOf(all)}`,
      serves: servedWords(all),
      effect:
        `if ${asker} fails in the same way, ${othersOf(all, 'stays', 'stay')} held and you are asked again; ` +
        `nothing is counted against them${stayingOf(all)}`,
    };
  if (id === 'abandon')
    return {
      label: `stop ${asker} alone and keep its work`,
      serves: `${asker} alone`,
      effect: `${asker} ends; ${othersOf(all, 'goes', 'go')} on, and the next one that fails in the same way asks again${stayingOf(all)}`,
    };
  return {
    label,
    serves: `${asker} alone`,
    effect: `for ${asker}: ${effect}; ${othersOf(all, 'goes', 'go')} on when it is well`,
  };
}

/** The run that asks is not held: every page counts the others. */
export function servedWords({ asker, runs }: Pick<AskedForAll, 'asker' | 'runs'>): string {
  return `${asker} and ${counted(runs.length - 1, 'held run')}`;
}

function heldOf({ runs }: AskedForAll): string {
  return runs.length === 2 ? 'the held run' : `the ${runs.length - 1} held runs`;
}

function othersOf(all: AskedForAll, one: string, many: string): string {
  return `${heldOf(all)} ${all.runs.length === 2 ? one : many}`;
}

function stayingOf({ staying }: AskedForAll): string {
  const waits = staying.map((one) => ({ ...one, waits: one.waits.join(' and ') || 'its own pause' }));
  return stillWaiting(waits)
    .map((part) => `; ${part} then`)
    .join('');
}
