import { catalogue } from './language.ts'

/** The panel with the help about the current page. */
export const help = catalogue('help', {
  search: 'Search or ask',
  results: 'Search results',
  found: '{count, plural, one {# result} other {# results}}',
  none: 'No results. Try other words.',
  section: '{title} › {heading}',
  all: 'All articles, by role',
  documentation: 'Documentation',
  openInTab: 'Open in a new tab',
})
