/** `NoRuns`: Now before the first run: how a line of life is read, and three ways to begin. */
import { KeyHints } from '../navigation/hints.tsx';
import { StateWord } from '../marks.tsx';
import { LifeLegend } from './life-legend.tsx';

const WAYS: readonly { readonly title: string; readonly says: string; readonly command: string }[] = [
  {
    title: 'Run a task',
    says: 'Any agent, any check. Start it in a repository; it appears here within a second.',
    command: 'mayday run --check "npm test" "fix the upload test"',
  },
  {
    title: 'Did an agent just fail without Mayday?',
    says: 'Reads the session that it left behind: where it got stuck, why, what to do next.',
    command: 'mayday autopsy',
  },
  {
    title: 'See a rescue first',
    says: 'An agent that fails on purpose: no key, no model, nothing of yours is touched.',
    command: 'mayday drill equal-calls',
  },
];

export function NoRuns() {
  return (
    <main class="page begin">
      <h1>No runs yet</h1>
      <p>Each run will be one line here: what it does, what it costs, whether it needs you.</p>
      <h2>How to read a line of life</h2>
      <LifeLegend />
      <p>
        <b>
          If no line says <StateWord word="needs_you" />, you may leave.
        </b>
      </p>
      <div class="ways">
        {WAYS.map(({ title, says, command }) => (
          <section key={title}>
            <h2>{title}</h2>
            <p>{says}</p>
            <pre tabIndex={0}>{command}</pre>
          </section>
        ))}
      </div>
      <KeyHints
        hints={[
          ['g i', 'inbox'],
          ['Ctrl K', 'find or go'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}
