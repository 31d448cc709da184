/** `wordsForAll`: the words of a question whose one answer serves several runs: who tries first, and what happens to the others. */
import type { AccountHeld } from '../fleet/account-held.ts';

export interface AskedForAll {
  /** The run that asks. After the answer it tries first. */
  readonly asker: string;
  readonly runs: readonly string[];
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
    text: `${text} One answer serves ${allOf(all)}.`,
    whyNow: `${all.asker} met it; ${othersOf(all, 'would meet it too and is', 'would meet it too and are')} held, and you are asked once`,
    todo: todoOf(all),
    options: options.map((option) => ({ ...option, ...optionForAll(option, all) })),
  };
}

function todoOf({ login, asker }: AskedForAll): string | null {
  if (login === null) return null;
  const { agent, account, tag, hosts } = login;
  const whose = account === null ? `an account without a name, ${tag}` : `account ${account}`;
  const where = `on ${hosts.length === 1 ? 'host' : 'the hosts'} ${hosts.join(', ')}, as the user of these runs`;
  return `Renew the login of ${agent} (${whose}) ${howToRenew(login)} ${where}. Then answer here; ${asker} tries first.`;
}

function howToRenew({ command, keys }: RefusedLogin): string {
  if (command !== null) return `with \`${command}\``;
  if (keys.length === 0) return 'where it keeps its key or its login file,';
  return `with a valid key in ${keys.map((key) => `\`${key}\``).join(' or ')}`;
}

function optionForAll({ id, label, effect }: Words, all: AskedForAll): Omit<Words, 'id'> & Served {
  const { asker } = all;
  if (id === 'retry')
    return {
      label: `${label}, ${asker} first, then ${allOf(all)}`,
      serves: allOf(all),
      effect: `if ${asker} fails alike, ${othersOf(all, 'stays', 'stay')} held and you are asked again; nothing is counted against them`,
    };
  if (id === 'abandon')
    return {
      label: `stop ${asker} alone and keep its work`,
      serves: `${asker} alone`,
      effect: `${asker} ends; ${othersOf(all, 'is', 'are')} let go, and the next one that fails alike asks again`,
    };
  return {
    label,
    serves: `${asker} alone`,
    effect: `for ${asker}: ${effect}; ${othersOf(all, 'goes', 'go')} on when it is well`,
  };
}

function allOf({ runs }: AskedForAll): string {
  return runs.length === 2 ? 'both runs' : `all ${runs.length} runs`;
}

/** The runs beside the asker, with the verb that fits their number. */
function othersOf({ runs }: AskedForAll, one: string, many: string): string {
  return runs.length === 2 ? `the other run ${one}` : `the ${runs.length - 1} other runs ${many}`;
}
