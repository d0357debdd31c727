import { show } from '@plantroom/fpl/check-package'

/** Where an import stopped, over all of its attempts. */
export interface Stop {
  /** Requests of the package that are on the site. They are the first ones of the package. */
  onSite: number
  /** Requests that this import added; the others were on the site before. */
  added: number
  /** Requests of the package; undefined when no attempt came far enough to know it. */
  total?: number | undefined
  /** The next request. */
  externalId?: string | undefined
  /** Completes a sentence, for example "the disk is full". */
  why: string
}

/** Returns the message of an import that stopped before its end. */
export function describeStop({ onSite, added, total, externalId, why }: Stop): string {
  const of = total === undefined ? '' : ` of ${total}`
  const next = externalId === undefined ? '' : ` (externalId ${show(externalId)})`
  const there = onSite === 1 ? '1 request of the package is' : `${onSite} requests of the package are`
  const soFar =
    total === undefined && onSite === 0
      ? `So far ${added} requests were added by this import; it could not read the package, so requests from before are not counted`
      : `So far ${there} on the site, ${added} added by this import`
  return `The import stopped at request ${onSite + 1}${of}${next}: ${why.replace(/\.$/, '')}. ${soFar}; running the import again continues from there.`
}
