import type { Found } from '@plantroom/contract/portfolio'
import type { SignedIn } from '@plantroom/contract/roles'
import { sitePath, tagPath } from '../../api/use-site.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { home } from '../../texts/home.ts'
import { palette as texts } from '../../texts/palette.ts'

/** The kinds of what the palette offers, in the order in which it shows them. */
export const KINDS = ['requests', 'actions', 'pages', 'sites', 'tags', 'devices', 'datapoints'] as const
export type Kind = (typeof KINDS)[number]

/** Something to choose: a page to go to, or something to do. */
export interface Entry {
  id: string
  kind: Kind
  label: string
  /** Where it is. */
  description?: string | undefined
  to?: string
  run?: () => void
}

/** More would only be scrolled past. */
const MOST_OF_A_KIND = 8

/** The sites of the signed-in person, which need no search by the service. */
export function siteEntries({ organizations }: SignedIn): Entry[] {
  return organizations.flatMap(({ id: orgId, name: organization, sites }) =>
    sites.map(({ id, name }) => ({
      id: `site ${id}`,
      kind: 'sites' as const,
      label: name,
      description: organization,
      to: sitePath(orgId, id),
    })),
  )
}

/** What the service found in an organization. Sites are known already. */
export function foundEntries(orgId: string, { tags, devices, datapoints, requests }: Found): Entry[] {
  return [
    ...requests.map(({ number, title, siteId, siteName }) => ({
      id: `request ${siteId} ${number}`,
      kind: 'requests' as const,
      label: format(texts.request, { number: String(number), title }),
      description: siteName,
      to: sitePath(orgId, siteId, `/requests/${number}`),
    })),
    ...tags.map(({ tag, sites: count }) => ({
      id: `tag ${tag}`,
      kind: 'tags' as const,
      label: tag,
      description: format(home.siteCount, { count }),
      to: tagPath(tag),
    })),
    ...devices.map(({ id, name, siteId, siteName }) => ({
      id: `device ${id}`,
      kind: 'devices' as const,
      label: name,
      description: siteName,
      to: sitePath(orgId, siteId, `/devices/${id}`),
    })),
    ...datapoints.map(({ id, name, deviceId, deviceName, siteId, siteName }) => ({
      id: `datapoint ${deviceId} ${id}`,
      kind: 'datapoints' as const,
      label: name,
      description: format(common.within, { inner: deviceName, outer: siteName }),
      to: sitePath(orgId, siteId, `/devices/${deviceId}?datapoint=${encodeURIComponent(id)}`),
    })),
  ]
}

/** The entries of each kind that have every word of the text in their label or description, best first. */
export function matchingEntries(entries: readonly Entry[], text: string): { kind: Kind; entries: Entry[] }[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const matches = entries.filter(({ label, description }) => {
    const searched = `${label} ${description ?? ''}`.toLocaleLowerCase()
    return words.every((word) => searched.includes(word))
  })
  const start = words.join(' ')
  const rank = ({ label }: Entry) => (label.toLocaleLowerCase().startsWith(start) ? 0 : 1)
  return KINDS.map((kind) => ({
    kind,
    entries: matches
      .filter((entry) => entry.kind === kind)
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MOST_OF_A_KIND),
  })).filter((group) => group.entries.length > 0)
}

/** Reports whether a text is worth a search by the service: a number, or more than one letter. */
export const isSearchable = (text: string): boolean => /^#?\d+$/.test(text.trim()) || text.trim().length > 1
