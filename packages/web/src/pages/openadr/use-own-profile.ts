import type { Profile } from '@plantroom/contract/openadr-profile'
import { PROFILES, readProfile } from '@plantroom/openadr/profiles'
import { useEffect, useState } from 'react'
import { parseDocument, writeDocument } from '../../parts/parse-document.ts'
import { describeProblem } from './describe-problem.ts'

/** The text of an own profile, as a person writes it, with what it says or what is wrong with it. */
export function useOwnProfile(before: Profile | null) {
  const [text, setText] = useState<string>()
  const [read, setRead] = useState<{ profile?: Profile; problems: readonly string[] }>({ problems: [] })
  useEffect(() => {
    const start = before ?? { ...PROFILES['alliance-3.1'], name: 'own' }
    void writeDocument(start).then((written) => setText((given) => given ?? written))
  }, [before])
  useEffect(() => {
    if (text === undefined) return
    let isOld = false
    void parsedProfile(text).then((parsed) => isOld || setRead(parsed))
    return () => {
      isOld = true
    }
  }, [text])
  return { text: text ?? '', setText, ...read }
}

async function parsedProfile(text: string): Promise<{ profile?: Profile; problems: readonly string[] }> {
  const parsed = await parseDocument(text)
  if ('reasons' in parsed) return { problems: parsed.reasons }
  const read = readProfile(parsed.document)
  if ('profile' in read) return { profile: read.profile, problems: [] }
  return { problems: read.problems.map((problem) => describeProblem(problem, parsed.lineOf)) }
}
