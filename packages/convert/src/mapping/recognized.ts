import type { Target } from '@plantroom/contract/conversion'
import { listed, noted } from '../notes.ts'
import type { SourceKind } from '../source.ts'

/**
 * False for an export of a known system of which next to nothing is understood: no column becomes the title, and none the
 * state. It is in a language or of a version that is not known, or it is the export of something else.
 */
export function isRecognized({ defaultMapping }: SourceKind, targets: ReadonlySet<Target>): boolean {
  return defaultMapping === undefined || targets.has('title') || targets.has('state')
}

/** Says what was found, and what to do. */
export function describeUnrecognized({ label }: SourceKind, columns: readonly string[]): string {
  return `no title and no state of ${label} was recognized among ${listed(noted(columns))}; make a mapping (--map FILE on the command line) in which one column becomes title or state`
}
