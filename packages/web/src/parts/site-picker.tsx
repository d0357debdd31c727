import { MultiSelect } from '@mantine/core'
import { common } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import { siteTags as texts } from '../texts/site-tags.ts'

/** A site that can be chosen. */
export interface PickedSite {
  id: string
  name: string
  tags: readonly string[]
}

/** The number of names in a list; typing narrows it. */
const SHOWN = 50
const TAG = 'tag:'

/** The tags of sites with the number of their sites, in the order of their names. */
export function countTags(sites: readonly PickedSite[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tag of sites.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return new Map([...counts].sort(([one], [other]) => one.localeCompare(other)))
}

/** The chosen sites, with those of a chosen tag in its place. */
export function withoutTags(chosen: readonly string[], sites: readonly PickedSite[]): string[] {
  const ids = chosen.flatMap((value) =>
    value.startsWith(TAG)
      ? sites.filter(({ tags }) => tags.includes(value.slice(TAG.length))).map(({ id }) => id)
      : [value],
  )
  return [...new Set(ids)]
}

/** Chooses sites by typing, one by one or all that have a tag now. */
export function SitePicker({
  sites,
  value,
  onChange,
  ...field
}: {
  sites: readonly PickedSite[]
  value: readonly string[]
  onChange: (siteIds: string[]) => void
  label: string
  description?: string
  placeholder?: string | undefined
  error?: string | false | undefined
  required?: boolean
}) {
  const tags = [...countTags(sites)].map(([tag, count]) => ({
    value: TAG + tag,
    label: format(texts.withTag, { tag, count }),
  }))
  return (
    <MultiSelect
      placeholder={value.length === 0 ? texts.pick : undefined}
      {...field}
      data={[...tags, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
      value={[...value]}
      onChange={(chosen) => onChange(withoutTags(chosen, sites))}
      searchable
      hidePickedOptions
      limit={SHOWN}
      // Below it would cover the buttons of a dialog, and "No match" when all sites are chosen.
      comboboxProps={{ position: 'top' }}
      nothingFoundMessage={value.length < sites.length && common.nothingFound}
    />
  )
}
