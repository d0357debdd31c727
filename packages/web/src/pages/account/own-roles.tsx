import { Stack, Table, Text } from '@mantine/core'
import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { sitePath } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { account as texts } from '../../texts/account.ts'
import { roles } from '../../texts/common.ts'

/** The roles of whoever is signed in, by the names of the sites. */
export function OwnRoles({ signedIn }: { signedIn: SignedIn }) {
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  if (organizations.length === 0) return <Text>{texts.noRoles}</Text>
  return (
    <Stack>
      {organizations.map((organization) => (
        <RolesOf key={organization.id} organization={organization} />
      ))}
    </Stack>
  )
}

function RolesOf({ organization }: { organization: SignedInOrganization }) {
  return (
    <Stack gap="xs">
      {organization.isAdmin && <Text>{texts.organizationAdmin(organization.name)}</Text>}
      {organization.sites.length > 0 && (
        <Table captionSide="top" horizontalSpacing={0} layout="fixed" fz="md" verticalSpacing="xs">
          <Table.Caption ta="left" mt={0}>
            {texts.rolesOf(organization.name)}
          </Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.site}</Table.Th>
              <Table.Th scope="col">{texts.role}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {organization.sites.map(({ id, name, role }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Link to={sitePath(organization.id, id)}>{name}</Link>
                </Table.Td>
                <Table.Td>
                  <div>{roles[role]}</div>
                  <Text c="dimmed" size="sm">
                    {texts.roleMeaning[role]}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}
