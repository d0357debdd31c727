import { Fieldset, SimpleGrid } from '@mantine/core'
import { useOperation } from '../../api/use-operation.ts'
import { NameSelect } from '../../parts/selects.tsx'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'

interface Filters<State extends string> {
  programId?: string | undefined
  state?: State | undefined
}

/** Chooses a program and a state. */
export function FilterBar<State extends string>({
  filters,
  states,
  onChange,
}: {
  filters: Filters<State>
  /** The names of the states. */
  states: Readonly<Record<State, string>>
  onChange: (choice: Filters<State>) => void
}) {
  const { data: programs = [] } = useOperation('listOpenadrPrograms', {}, { select: (reply) => reply.programs })
  return (
    <Fieldset variant="unstyled" m={0} p={0} mb="md" aria-label={texts.filters}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
        <NameSelect
          label={texts.program}
          placeholder={texts.anyProgram}
          choices={programs.map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.programId ?? null}
          onChange={(programId) => onChange({ programId: programId ?? undefined })}
        />
        <NameSelect
          label={texts.state}
          placeholder={texts.anyState}
          choices={Object.entries<string>(states).map(([value, label]) => ({ value, label }))}
          value={filters.state ?? null}
          onChange={(state) => onChange({ state: (state as State | null) ?? undefined })}
        />
      </SimpleGrid>
    </Fieldset>
  )
}
