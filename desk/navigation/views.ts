/** `VIEWS`: the views of the desk in their order, with the keys that go there. A phone shows the rare ones on demand. */
export const VIEWS = [
  { view: 'now', title: 'Now', href: '/', keys: 'g n', isRare: false },
  { view: 'inbox', title: 'Inbox', href: '/inbox', keys: 'g i', isRare: false },
  { view: 'causes', title: 'Causes', href: '/causes', keys: 'g c', isRare: true },
  { view: 'lessons', title: 'Lessons', href: '/lessons', keys: 'g l', isRare: true },
  { view: 'holds', title: 'Holds', href: '/holds', keys: 'g h', isRare: false },
  { view: 'hosts', title: 'Hosts', href: '/hosts', keys: 'g o', isRare: true },
  { view: 'numbers', title: 'Numbers', href: '/numbers', keys: 'g u', isRare: true },
] as const;
