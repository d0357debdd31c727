import type { Failure } from '@plantroom/contract/failure'
import { brokenConstraint } from './database.ts'

/** Runs a write and turns the constraints that a caller can break into failures that say what to do. */
export async function explainConflicts<Result>(
  write: Promise<Result>,
  explanations: Readonly<Record<string, Failure>>,
): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw explanations[brokenConstraint(error) ?? ''] ?? error
  }
}
