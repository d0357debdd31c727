interface Token {
  kind: string
  value?: string | undefined
}

/** What stands before `--` are names of files; what stands behind is vitest's business. */
export function splitArguments(tokens: readonly Token[]): { names: string[]; forVitest: string[] } {
  const end = tokens.findIndex(({ kind }) => kind === 'option-terminator')
  const values = (of: readonly Token[]) => of.flatMap(({ kind, value }) => (kind === 'positional' ? [value ?? ''] : []))
  return end < 0
    ? { names: values(tokens), forVitest: [] }
    : { names: values(tokens.slice(0, end)), forVitest: values(tokens.slice(end)) }
}
