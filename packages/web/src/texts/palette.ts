import { catalogue } from './language.ts'

/** The command palette. */
export const palette = catalogue('palette', {
  title: 'Search or go to',
  placeholder: 'Site, tag, controller, datapoint, #request or page',
  results: 'Results',
  nothing: 'Nothing found. Every word must be in the name, or in the name of its controller or site.',
  hint: 'Arrow keys choose, Enter opens, Escape closes.',
  request: '#{number} {title}',
  kinds: {
    requests: 'Maintenance requests',
    actions: 'Actions',
    pages: 'Pages',
    sites: 'Sites',
    tags: 'Tags',
    devices: 'Controllers',
    datapoints: 'Datapoints',
  },
  actions: {
    releaseAll: 'Release all at this site…',
    newRequest: 'New maintenance request…',
    shortcuts: 'Keyboard shortcuts',
  },
})

/** The list of keyboard shortcuts. */
export const shortcuts = catalogue('shortcuts', {
  title: 'Keyboard shortcuts',
  hint: 'In a field, only those with Ctrl or Cmd work.',
  letters: 'Shortcuts without Ctrl or Cmd',
  lettersHint: 'Turn them off when a program that you speak to presses keys for you. This browser remembers it.',
  key: 'Key',
  does: 'Does',
  sequence: '{first} then {second}',
  goTo: 'Open {page}',
  what: {
    palette: 'Search, or go to a page',
    help: 'Show this list',
    next: 'Next in the list',
    previous: 'Previous in the list',
    choose: 'Choose or leave out',
    close: 'Close a dialog or the menu',
  },
})
