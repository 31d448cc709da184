/** `VIEWS`: the views of the desk in their order, with the keys that go there. */
export const VIEWS = [
  { view: 'now', title: 'Now', href: '/', keys: 'g n' },
  { view: 'inbox', title: 'Inbox', href: '/inbox', keys: 'g i' },
  { view: 'causes', title: 'Causes', href: '/causes', keys: 'g c' },
  { view: 'lessons', title: 'Lessons', href: '/lessons', keys: 'g l' },
  { view: 'holds', title: 'Holds', href: '/holds', keys: 'g h' },
  { view: 'hosts', title: 'Hosts', href: '/hosts', keys: 'g o' },
  { view: 'numbers', title: 'Numbers', href: '/numbers', keys: 'g u' },
] as const;
