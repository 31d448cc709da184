/**
 * `AGENT_LIMITS`, `policyFor`: thresholds of single agents or models that differ from the general ones, as data. Each row needs a
 * measurement: `npm run eval:detect` prints, per agent and model, which thresholds would have been right. A row without a difference
 * there has no use. `agent_policy:` in `mayday.yaml` adds a team's own rows.
 */
import { DEFAULT_POLICY, type Policy, POLICY_RULES, type PolicyKey } from './policy.ts';

/** The limits that detection uses. All other limits belong to the run and are the same for every agent. */
export type DetectKey = {
  [Key in PolicyKey]: (typeof POLICY_RULES)[Key] extends { readonly detects: true } ? Key : never;
}[PolicyKey];
export const DETECT_KEYS = (Object.keys(POLICY_RULES) as PolicyKey[]).filter(
  (key): key is DetectKey => 'detects' in POLICY_RULES[key],
);

interface AgentLimit {
  readonly agent: string;
  /** A part of the model's name; null means all models. */
  readonly model: string | null;
  readonly key: DetectKey;
  readonly value: number;
  readonly why: string;
}

export const AGENT_LIMITS: readonly AgentLimit[] = [
  {
    agent: 'gemini',
    model: null,
    key: 'silence_ms',
    value: 300_000,
    why:
      'its session file shows a call only when it has ended (0.61.0, killed in the middle of a tool and read), ' +
      'so a working tool looks like a silent model; 99 % of tool results come within 278 s',
  },
];

/** The keys are `AGENT` or `AGENT/PART-OF-MODEL`. */
export type AgentPolicies = Readonly<Record<string, Readonly<Partial<Record<DetectKey, number>>>>>;

export interface Who {
  readonly agent: string;
  readonly model: string | null;
  /** The program behind an agent that has a name of its own. The limits of the program hold for the agent, too. */
  readonly program?: string;
}

/**
 * Later values win: the default, the row of the agent, the row of its model, `policy:`, then the team's rows for the agent and its model.
 */
export function policyFor(policy: Policy, who: Who, own: AgentPolicies = {}): Policy {
  const model = (who.model ?? '').toLowerCase();
  const rows = AGENT_LIMITS.filter(
    (row) => isCalled(row.agent, who) && (row.model === null || model.includes(row.model)),
  ).toSorted((a, b) => Number(a.model !== null) - Number(b.model !== null));
  const known = Object.fromEntries(
    // A value that a person chose is kept.
    rows.filter(({ key }) => policy[key] === DEFAULT_POLICY[key]).map(({ key, value }) => [key, value]),
  );
  const told = Object.entries(own)
    .map(([name, limits]) => ({
      agent: name.split('/', 1)[0],
      part: name.split('/').slice(1).join('/'),
      limits,
    }))
    .filter(({ agent, part }) => isCalled(agent, who) && model.includes(part.toLowerCase()))
    .toSorted(
      (a, b) =>
        Number(a.agent === who.agent) - Number(b.agent === who.agent) || a.part.length - b.part.length,
    );
  return Object.assign({}, policy, known, ...told.map(({ limits }) => limits)) as Policy;
}

function isCalled(name: string | undefined, { agent, program }: Who): boolean {
  return name === agent || (program !== undefined && name === program);
}
