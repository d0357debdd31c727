import { Button, Stack } from '@mantine/core'
import type { OpenadrProgram } from '@plantroom/contract/openadr'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { openadr as texts } from '../../texts/openadr.ts'
import { CheckConnection } from './check-connection.tsx'
import { OpenadrTabs } from './openadr-tabs.tsx'
import { ProgramCard } from './program-card.tsx'
import { PauseProgram, RemoveProgram } from './program-dialogs.tsx'
import { ProgramForm } from './program-form.tsx'

const EVERY_MS = 5000

/** What a person does with a program in a dialog. */
type Action = 'edit' | 'check' | 'pause' | 'remove'

/** The OpenADR programs of the organization, with their state in words. */
export function ProgramsPage() {
  const { isAdmin } = useOrganization().organization
  const now = useNow()
  const query = useOperation(
    'listOpenadrPrograms',
    {},
    { select: ({ programs }) => programs, refetchInterval: EVERY_MS },
  )
  const [isAdding, setIsAdding] = useState(false)
  const [open, setOpen] = useState<{ action: Action; id: string }>()
  const close = () => setOpen(undefined)
  const program = query.data?.find(({ id }) => id === open?.id)

  return (
    <>
      <PageHead title={texts.title} actions={isAdmin && <Button onClick={() => setIsAdding(true)}>{texts.add}</Button>}>
        {texts.intro}
      </PageHead>
      <OpenadrTabs />
      <ListView
        query={query}
        empty={<Empty title={texts.none}>{isAdmin ? texts.noneHint : texts.noneForManagers}</Empty>}
      >
        {(programs) => (
          <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={texts.list}>
            {programs.map((each) => (
              <li key={each.id}>
                <ProgramCard
                  program={each}
                  now={now}
                  onAction={isAdmin ? (action) => setOpen({ action, id: each.id }) : undefined}
                />
              </li>
            ))}
          </Stack>
        )}
      </ListView>
      {isAdding && <ProgramForm onClose={() => setIsAdding(false)} />}
      {program && open && <ProgramDialog action={open.action} program={program} onClose={close} />}
    </>
  )
}

function ProgramDialog({ action, ...given }: { action: Action; program: OpenadrProgram; onClose: () => void }) {
  switch (action) {
    case 'edit':
      return <ProgramForm {...given} />
    case 'check':
      return <CheckConnection {...given} />
    case 'pause':
      return <PauseProgram {...given} />
    case 'remove':
      return <RemoveProgram {...given} />
  }
}
