import type { Problem } from '@plantroom/fpl/check-package'

/** Why a job did not get through, in words for whoever asked for it. */
export class JobFailure extends Error {
  /** No further attempt could mend it. */
  readonly final: boolean
  /** Everything that is wrong with a package, where that is the reason. */
  readonly problems: readonly Problem[] | undefined

  constructor(message: string, options: { final: boolean; problems?: readonly Problem[]; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'JobFailure'
    this.final = options.final
    this.problems = options.problems
  }
}
