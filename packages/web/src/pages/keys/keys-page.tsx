import { Button, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ListedKey, NewKey } from '@plantroom/client/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty, PageHead } from '../../parts/notices.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { fullTime } from '../../parts/time.ts'
import { keys } from '../../texts/keys.ts'
import { CreateKey } from './create-key.tsx'
import { inOrder, permissionWords, sitesWords } from './key-words.ts'
import { NewKeyView } from './new-key.tsx'

/** The API keys of the organization. */
export function KeysPage() {
  const { organization } = useSite()
  if (organization.isAdmin) return <Keys />
  return (
    <>
      <PageHead title={keys.title} />
      <Empty title={keys.forAdmins} />
    </>
  )
}

function Keys() {
  const { orgId, organization, site } = useSite()
  const client = useQueryClient()
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<NewKey>()
  const [revoking, setRevoking] = useState<ListedKey>()
  const query = useQuery({ queryKey: ['keys', orgId], queryFn: () => administration.keys(orgId) })
  const revoke = useMutation({
    mutationFn: ({ id }: ListedKey) => administration.revokeKey(orgId, id),
    async onSuccess(_done, { name }) {
      await client.invalidateQueries({ queryKey: ['keys', orgId] })
      setRevoking(undefined)
      notifications.show({ message: keys.revoke.done(name) })
    },
  })
  const timeOf = (at: string) => fullTime(at, site.timeZone)

  return (
    <>
      <PageHead title={keys.title} actions={<Button onClick={() => setIsCreating(true)}>{keys.create.open}</Button>}>
        {keys.intro}
      </PageHead>
      <QueryView query={query}>
        {(listed) =>
          listed.length === 0 ? (
            <Empty title={keys.empty}>{keys.emptyHint}</Empty>
          ) : (
            <CardTable
              label={keys.label}
              rows={inOrder(listed)}
              keyOf={({ id }) => id}
              columns={[
                { head: keys.name, cell: ({ name }) => name },
                { head: keys.permissions, cell: ({ permissions }) => <Permissions of={permissions} /> },
                { head: keys.sites, cell: ({ siteIds }) => sitesWords(siteIds, organization.sites) },
                { head: keys.created, time: true, cell: ({ createdAt }) => timeOf(createdAt) },
                {
                  head: keys.lastUsed,
                  time: true,
                  cell: ({ lastUsedAt }) => (lastUsedAt ? timeOf(lastUsedAt) : keys.never),
                },
                {
                  head: keys.actions,
                  plain: true,
                  cell: (key) =>
                    key.revokedAt ? (
                      <Text size="sm">{keys.revoked(timeOf(key.revokedAt))}</Text>
                    ) : (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={keys.revoke.label(key.name)}
                        onClick={() => setRevoking(key)}
                      >
                        {keys.revoke.button}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </QueryView>
      {isCreating && (
        <CreateKey
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created && <NewKeyView apiKey={created} onClose={() => setCreated(undefined)} />}
      <Confirm
        opened={revoking !== undefined}
        onClose={() => {
          setRevoking(undefined)
          revoke.reset()
        }}
        title={keys.revoke.title(revoking?.name ?? '')}
        action={keys.revoke.action}
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate(revoking)}
      >
        <Text>{keys.revoke.consequence}</Text>
      </Confirm>
    </>
  )
}

function Permissions({ of }: { of: readonly string[] }) {
  if (of.length === 1) return of.map(permissionWords)
  return (
    <List size="sm" listStyleType="none">
      {of.map((permission) => (
        <List.Item key={permission}>{permissionWords(permission)}</List.Item>
      ))}
    </List>
  )
}
