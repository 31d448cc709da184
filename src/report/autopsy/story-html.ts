/** `storyHtml`: the story of an autopsy as one HTML page: no script, no network, light and dark. */
import { escapeHtml } from '../escape-html.ts';
import type { Story } from './story.ts';

const STYLE = `:root{color-scheme:light dark;--dim:#6b7280;--line:#8884;--warn:#b45309}
body{font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:3rem auto;padding:0 1.25rem}
h1{font-size:1.05rem;font-weight:600;margin:3rem 0 .75rem}h1:first-of-type{margin-top:0}
.sum{font-size:1.3rem;line-height:1.4;margin:0 0 1.5rem}
table{border-collapse:collapse;width:100%}
th{width:7.5rem;text-align:left;vertical-align:top;font-weight:500;color:var(--dim);padding:.35rem 1rem .35rem 0}
td{white-space:pre-line;padding:.35rem 0;overflow-wrap:anywhere}tr+tr{border-top:1px solid var(--line)}small{color:var(--dim);display:block}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;
padding:1rem;font:13px/1.5 ui-monospace,monospace}
summary{cursor:pointer;color:var(--dim);margin-top:1rem}`;

export function storyHtml(stories: readonly Story[]): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Autopsy · Mayday</title><style>${STYLE}</style>
<main>
${stories.map(page).join('\n')}
</main></html>
`;
}

function page(story: Story): string {
  const rows = story.timeline.map(([when, what]) => row(when, escapeHtml(what)));
  const facts = story.facts.map(([label, text, aside]) =>
    row(label, `${escapeHtml(text)}${aside === undefined ? '' : `<small>${escapeHtml(aside)}</small>`}`),
  );
  const brief =
    story.brief === null
      ? ''
      : `<details open><summary>Brief for the next agent</summary><pre>${escapeHtml(story.brief)}</pre></details>`;
  return `<section>
<h1>${escapeHtml(story.heading.join(' · '))}</h1>
<p class="sum">${escapeHtml(story.summary)}</p>
<table>${[...rows, ...facts].join('')}</table>
${brief}
</section>`;
}

function row(label: string, html: string): string {
  return `<tr><th scope="row">${escapeHtml(label)}</th><td>${html}</td></tr>`;
}
