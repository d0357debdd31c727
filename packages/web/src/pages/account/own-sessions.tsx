import { Button, Stack, Text } from '@mantine/core'
import type { OpenSession } from '@plantroom/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { ownTimeZone } from '../../parts/selects.tsx'
import { fullTime } from '../../parts/time.ts'
import { account } from '../../texts/account.ts'
import { format } from '../../texts/format.ts'

const texts = account.sessions
const KEY = ['sessions']

/** The browsers in which the person is signed in. They can sign out of each. */
export function OwnSessions() {
  const client = useQueryClient()
  const query = useQuery({ queryKey: KEY, queryFn: async () => (await api.listSessions()).sessions })
  const onSuccess = () => client.invalidateQueries({ queryKey: KEY })
  const end = useMutation({ mutationFn: (sessionId: string) => api.endSession({ sessionId }), onSuccess })
  const endOthers = useMutation({ mutationFn: () => api.endOtherSessions(), onSuccess })
  const error = end.error ?? endOthers.error
  return (
    <QueryView query={query}>
      {(sessions) => (
        <Stack>
          <SessionTable sessions={sessions} isEnding={end.isPending} onEnd={(id) => end.mutate(id)} />
          {error && <ErrorNotice error={error} title={texts.failed} />}
          {sessions.length > 1 && (
            <Button
              variant="default"
              onClick={() => endOthers.mutate()}
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
              <Button
                size="xs"
                variant="default"
                disabled={isEnding}
                aria-label={format(texts.endLabel, { browser: nameOf(session) })}
                onClick={() => onEnd(session.id)}
              >
                {texts.end}
              </Button>
            ),
        },
      ]}
    />
  )
}
