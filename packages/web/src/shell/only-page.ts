import type { SignedIn } from '@plantroom/contract/roles'
import { sitePath } from '../api/use-site.ts'
import { organizationsOf } from './page-entries.ts'

/** The page that a person sees instead of the list of all sites: their only site, or what they have to do first. */
export function onlyPageOf(signedIn: SignedIn): string | undefined {
  const organizations = organizationsOf(signedIn)
  const [first, ...others] = organizations.flatMap(({ id, sites }) => sites.map((site) => sitePath(id, site.id)))
  if (first !== undefined) return others.length === 0 ? first : undefined
  const needsFactor = signedIn.organizations.some(({ secondFactorMissing }) => secondFactorMissing)
  return needsFactor && organizations.length === 0 ? '/account' : undefined
}
