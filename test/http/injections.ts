/** `INJECTIONS`: two hundred texts that would become markup, script, style or a link in a careless page. Each sets `window.broken` if it runs. */
const RUN = 'window.broken=1';

const FORMS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><a xlink:href="javascript:${RUN}">x</a></svg>`,
  `<iframe srcdoc="<script>parent.broken=1</script>"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `<body onload=${RUN}>`,
  `<style>*{background:url(javascript:${RUN})}</style>`,
  `<link rel=stylesheet href="data:text/css,*{display:none}">`,
  `<form action="javascript:${RUN}"><button autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video><source onerror="${RUN}"></video>`,
  `<math><mtext></mtext><mglyph><style><img src=x onerror=${RUN}></style></mglyph></math>`,
  `<template><script>${RUN}</script></template>`,
  `<object data="javascript:${RUN}"></object>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `javascript:${RUN}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${(()=>{${RUN}})()}`,
  `__proto__`,
  `data:text/html,<script>${RUN}</script>`,
];

const WRAPS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `"${text}`,
  (text) => `'>${text}`,
  (text) => `</code></pre></title></textarea>${text}`,
  (text) => `<!--${text}-->`,
  (text) => `]]>${text}`,
  (text) => text.toUpperCase().replace('WINDOW.BROKEN', 'window.broken'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => `\u202E${text}\u0000\u001B[31m`,
  (text) => encodeURIComponent(text),
];

export const INJECTIONS: readonly string[] = FORMS.flatMap((form) => WRAPS.map((wrap) => wrap(form)));
