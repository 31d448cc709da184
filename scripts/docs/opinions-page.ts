/** `opinionsPage`: the page of docs/reference about opinions; its limits are those of the policy. */
import { MAX_PROMPT_CHARS } from '../../src/core/opinion/opinion-question.ts';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';

export function opinionsPage(): string {
  const { opinion_questions: most, opinion_ms: ms, opinion_cost_usd: usd } = DEFAULT_POLICY;
  return `# Opinions

A model explains, the record proves. Where rules and structure do not settle something, Mayday may ask a model one bounded question; the answer has a closed form and is checked by the record. It stands apart from what is proven, and without it everything goes on as before.

## Who is asked

| \`opinion:\` in \`mayday.yaml\` | \`--opinion\` | asked |
|---|---|---|
| nothing | nothing | by runs of Claude Code, Codex, Gemini CLI and opencode: that same CLI, with the login that it has; by plain commands, \`diagnose\` and \`autopsy\`: nobody |
| \`claude\`, \`codex\`, \`gemini\`, \`opencode\` | the same name | that CLI on this machine |
| \`{agent: claude, command: [/path/to/claude], model: NAME}\` | | the same, with its program and model named |
| \`"command:LINE"\` or \`{command: LINE}\` | \`command:LINE\` | any program: the prompt on its standard input, one JSON object on its standard output |
| \`{provider: anthropic, url: https://api.anthropic.com, model: NAME, key_variable: ANTHROPIC_API_KEY}\` | \`anthropic\` | an address that speaks the Messages protocol |
| \`{provider: openai, url: http://127.0.0.1:8080, model: NAME, key_variable: MY_KEY}\` | \`openai\` | an address that speaks the chat protocol, local models too |
| \`none\` | \`none\` | nobody; \`--opinion none\` always wins |

What a repository's \`mayday.yaml\` names needs your trust, as every command there. \`mayday doctor\` says who would be asked.

An agent CLI is asked headless, for one turn, with its cheapest model where it has a name for that (\`haiku\`, \`flash-lite\`; Codex thinks little, opencode takes its default), in an empty folder that is deleted afterwards. It has no tools, and none of your MCP servers, hooks, memory or extensions; it keeps no session, and that of the run stays as it was. If it offers or uses a tool all the same, nothing it says counts. Of your Codex servers each is turned off by its name; where one stands in \`config.toml\` in a form that Mayday cannot read, Codex is not asked. A login kept by a helper in your Claude Code settings is not seen, as those settings are left out. In a run a program works under the cover of agents, in the empty folder; \`--opinion command:LINE\` of \`diagnose\` works in yours.

## What is sent, and what it costs at most

One prompt of at most ${MAX_PROMPT_CHARS.toLocaleString('en-US')} characters, redacted as the record is: what is asked, what the record proves, the deciding parts of output or session between marks that no text in them can hold, and the complete form of the answer. An answer that misses the form is asked for once more.

At most ${most} questions a run, ${ms / 1_000} s each, $${usd} in all where the provider tells a price (Claude Code does): \`opinion_questions\`, \`opinion_ms\`, \`opinion_cost_usd\` ([policy.md](policy.md)). Each question is an event \`opinion_given\` in the journal with its cost, its time and the hash of its prompt; the cost is shown beside that of the run and is not taken from the agent's budget.

## What is asked

| kind | when | what comes of the answer |
|---|---|---|
| \`diagnose\` | a command or an attempt failed, and the rules are not sure why | weighed against the rules; both are shown |
| \`story\` | \`mayday autopsy\`; an attempt was stopped as looping or stalled | shown, and quoted in the next brief |
| \`belongs\` | work passed its checks, and a changed file may judge it, or the task explains little of it | named in \`changed_judges\` and \`unrelated\`; a question where a weakening is quoted, or many files are unrelated |
| \`lesson\` | a rescue succeeded and no lesson about its cause is known | the title, one or two sentences and where it applies, with its quotations, in the lesson that is proposed ([lessons](../explanation/lessons.md)) |

## What is checked

Every quotation must stand in the record word for word, at least eight characters long; claims are counted there. What does not hold is dropped or refused. An opinion widens no scope, budget or permission, approves nothing and ends no run. Its next step reaches an agent only as a quoted opinion. A lesson in which a model writes a command line, markup, a link or a sentence of the record is proposed without its words.

\`show --json\`, \`run --json\`: \`opinion\` (\`{by, kind, answer, quotes, checked, confidence, cost_usd}\`, or null with \`no_opinion\`), \`opinions\` (all of them) and \`opinions_cost_usd\`.

## What came true

Each opinion is a hypothesis. \`mayday report\` (\`opinions\` in its JSON, with \`kinds\` of each provider) and the numbers of the desk set the confidence that each provider claimed, by kind, against what happened next. Where nothing was seen they say "not observed".

| kind | came true | did not | not observed |
|---|---|---|---|
| \`diagnose\` | its class is that of an incident that was resolved; "success" and the work was proven | another class | the incident is open, or ended otherwise |
| \`story\` (stuck) | the next attempt, which was told it, got past the incident | that attempt ended in it again | no next attempt, or a person was asked in between; of an autopsy, always |
| \`belongs\` (something named) | the person who was asked sent the work back | the person said that it is meant | nobody was asked, or about something observed, too; nothing was named |
| \`lesson\` | the lesson helped the runs that were told it ([useful](../explanation/lessons.md#what-the-numbers-mean)) | the trouble came all the same (doubtful, useless) | not approved, or not told to enough runs |

An incident that a person calls a false alarm (\`mayday report --false-positive\`) refutes a \`diagnose\` or \`story\` that said there was trouble, and confirms one that said there was none.`;
}
