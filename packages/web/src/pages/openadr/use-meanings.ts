import type { PayloadMeaning } from '@plantroom/contract/openadr-profile'
import { useCallback, useMemo } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { payloadRule, profileOf } from './profile-of.ts'

/** Says what a payload of a program means; `undefined` when its profile does not know it, or is not loaded. */
export type MeaningOf = (programId: string, type: string) => PayloadMeaning | undefined

/** Loads what the payloads of all programs mean. */
export function useMeanings(): MeaningOf {
  const { data } = useOperation('listOpenadrPrograms', {}, { select: ({ programs }) => programs })
  const profiles = useMemo(() => new Map(data?.map((program) => [program.id, profileOf(program)])), [data])
  return useCallback((programId, type) => payloadRule(profiles.get(programId), type)?.meaning, [profiles])
}
