import { catalogue } from './language.ts'

/** Tags of sites, and fields in which one chooses sites. */
export const siteTags = catalogue('siteTags', {
  tag: 'Tag',
  tags: 'Tags',
  allTags: 'All tags',
  none: 'No tags',
  show: 'Show the sites tagged {tag}',
  pick: 'Search by name or tag',
  withTag: '{count, plural, one {# site tagged {tag}} other {# sites tagged {tag}}}',
  settings: {
    intro:
      'Tags group sites: the list of sites can show one group, and members can have a role on all sites with a tag.',
    hint: 'Press Enter after each tag. Members with a role for a tag get or lose access to this site when you save.',
    save: 'Save tags',
    saved: 'Tags saved',
    badTag: 'A tag has at most {most} characters.',
  },
  many: {
    open: 'Tag sites',
    title: 'Tag sites of {organization}',
    which: 'Sites',
    shown: '{count, plural, one {The # site that is shown now} other {The # sites that are shown now}}',
    chosen: 'Chosen sites',
    noSite: 'Choose at least one site.',
    what: 'Action',
    give: 'Give tags',
    take: 'Take tags away',
    hint: 'Press Enter after each tag.',
    noTag: 'Enter at least one tag.',
    consequence: 'Members with a role for these tags get or lose access to the sites immediately.',
    submit: 'Save',
    failed: 'The tags were not changed',
    done: '{count, plural, one {Changed the tags of # site} other {Changed the tags of # sites}}',
  },
})
