/** `wordsForAll`: the words of a question whose one answer serves several runs: who tries first, and what happens to the others. */
import { counted } from '../text/counted.ts';

export interface AskedForAll {
  /** The run that asks. After the answer it tries first. */
  readonly asker: string;
  readonly runs: readonly string[];
  /** Where a login is asked for: whose it is, and the command that renews it, as far as Mayday knows them. */
  readonly login: {
    readonly agent: string;
    readonly account: string | null;
    readonly command: string | null;
  } | null;
}

interface Words {
  readonly id: string;
  readonly label: string;
  readonly effect: string;
}

export function wordsForAll<Option extends Words>(
  question: { readonly text: string; readonly options: readonly Option[] },
  all: AskedForAll,
) {
  const { text, options } = question;
  const runs = counted(all.runs.length, 'run');
  return {
    text: `${text} One answer serves all ${runs}.`,
    whyNow: `${runs} met the same cause, so it is none of their own; they are held, and you are asked once`,
    todo: todoOf(all),
    options: options.map((option) => ({ ...option, ...optionForAll(option, all) })),
  };
}

function todoOf({ login, asker }: AskedForAll): string | null {
  if (login === null) return null;
  const { agent, account, command } = login;
  const whose = account === null ? `of ${agent}` : `of ${agent} (account ${account})`;
  const how = command === null ? 'where it finds its key or its login file' : `with \`${command}\``;
  return `Renew the login ${whose} ${how}, on the host and as the user of these runs. Then answer here; ${asker} tries first.`;
}

function optionForAll({ id, label, effect }: Words, { asker, runs }: AskedForAll): Omit<Words, 'id'> {
  const others = counted(runs.length - 1, 'other run');
  if (id === 'retry')
    return {
      label: `${label}, ${asker} first, then all ${counted(runs.length, 'run')}`,
      effect: `if ${asker} fails alike, the ${others} stay held and you are asked again; nothing is counted against them`,
    };
  if (id === 'abandon')
    return {
      label: `stop ${asker} alone and keep its work`,
      effect: `${asker} ends; the ${others} are let go, and the next one that fails alike asks again`,
    };
  return { label, effect: `for ${asker}: ${effect}; the ${others} go on when it is well` };
}
