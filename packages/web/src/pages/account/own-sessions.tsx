import { Button, Stack, Text } from '@mantine/core'
import type { OpenSession } from '@plantroom/contract/api'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { account } from '../../texts/account.ts'
import { format } from '../../texts/format.ts'

const texts = account.sessions

/** The browsers in which the person is signed in. They can sign out of each. */
export function OwnSessions() {
  const query = useOperation('listSessions', {})
  const end = useChange('endSession')
  const endOthers = useChange('endOtherSessions')
  const error = end.error ?? endOthers.error
  return (
    <QueryView query={query}>
      {({ sessions }) => (
        <Stack>
          <SessionTable sessions={sessions} isEnding={end.isPending} onEnd={(id) => end.mutate({ sessionId: id })} />
          {error && <ErrorNotice error={error} title={texts.failed} />}
          {sessions.length > 1 && (
            <Button
              variant="default"
              onClick={() => endOthers.mutate({})}
              loading={endOthers.isPending}
              style={{ alignSelf: 'flex-start' }}
            >
              {texts.endOthers}
            </Button>
          )}
        </Stack>
      )}
    </QueryView>
  )
}

function SessionTable({
  sessions,
  isEnding,
  onEnd,
}: {
  sessions: readonly OpenSession[]
  isEnding: boolean
  onEnd: (id: string) => void
}) {
  const timeZone = ownTimeZone()
  const nameOf = ({ browser }: OpenSession) => browser ?? texts.unknownBrowser
  return (
    <CardTable
      label={texts.label}
      rows={sessions}
      keyOf={({ id }) => id}
      framed={false}
      columns={[
        { head: texts.browser, cell: nameOf },
        { head: texts.address, cell: ({ address }) => address ?? texts.unknownAddress },
        { head: texts.opened, cell: ({ createdAt }) => fullTime(createdAt, timeZone) },
        { head: texts.lastUsed, cell: ({ lastSeenAt }) => fullTime(lastSeenAt, timeZone) },
        {
          head: texts.actions,
          plain: true,
          cell: (session) =>
            session.isCurrent ? (
              <Text size="sm">{texts.current}</Text>
            ) : (
              <SmallButton
                disabled={isEnding}
                aria-label={format(texts.endLabel, { browser: nameOf(session) })}
                onClick={() => onEnd(session.id)}
              >
                {texts.end}
              </SmallButton>
            ),
        },
      ]}
    />
  )
}
