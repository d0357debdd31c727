import { Alert } from '@mantine/core'
import { useSearch } from 'wouter'
import { findText, format } from '../texts/format.ts'
import { providers as texts } from '../texts/providers.ts'

/** Explains why a sign-in through the provider failed, if it sent the browser here. */
export function ProviderProblem({ name, title }: { name: string | undefined; title: string }) {
  const problem = new URLSearchParams(useSearch()).get('problem')
  const message = problem === null ? undefined : findText(texts.problems, problem)
  if (message === undefined || name === undefined) return null
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      {format<string>(message, { name })}
    </Alert>
  )
}
