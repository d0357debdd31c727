import { createLanguages } from '../../parts/languages.ts'

/** Columns of the CSV exports of views and of the account, by the names of the JSON export, with states and priorities. */
export const languages = createLanguages({
  columns: {
    'id / ID / Ticket ID / Ticket':
      'Ticket-ID | ID du ticket | ID de ticket / ID del ticket | ID do ticket | ID do ticket | ID ticket | Ticket-id | Identyfikator zgłoszenia / ID zgłoszenia | Pileti ID',
    'subject / Subject': 'Betreff | Sujet / Objet | Asunto | Assunto | Assunto | Oggetto | Onderwerp | Temat | Teema',
    'description / Description':
      'Beschreibung | | Descripción | Descrição | Descrição | Descrizione | Beschrijving | Opis | Kirjeldus',
    'status / Status / Ticket status':
      'Ticketstatus | Statut / Statut de ticket / Statut du ticket | Estado / Estado del ticket / Estado de ticket | Estado | Status do ticket / Status de ticket | Stato / Stato ticket | | Stan / Status zgłoszenia | Olek',
    'priority / Priority':
      'Priorität | Priorité | Prioridad | Prioridade | Prioridade | Priorità | Prioriteit | Priorytet | Prioriteet',
    'tags / Tags':
      'Stichwörter / Schlagwörter | Marqueurs | Etiquetas | Etiquetas | Tags / Marcadores | Tag | | Tagi / Etykiety | Sildid',
    'created_at / Created at / Requested / Created':
      'Erstellt am / Angefragt / Erstellt | Créé à / Demandé / Créé le / Créé | Creado a las / Solicitado / Creado | Criado em / Solicitado / Criado | Criado em / Solicitado / Criado às | Creato il / Richiesto / Creato | Gemaakt op / Aangevraagd / Aangemaakt | Utworzono / Zgłoszono | Loodud',
    'updated_at / Updated at / Updated / Latest update':
      'Aktualisiert am / Aktualisiert / Letzte Aktualisierung | Mis à jour / Mis à jour à / Dernière mise à jour | Actualizado / Actualizado a las / Última actualización | Atualizado em / Atualizado | Atualizado / Atualizado em / Última atualização | Aggiornato il / Aggiornato / Ultimo aggiornamento | Bijgewerkt op / Bijgewerkt / Laatste update | Zaktualizowano / Ostatnia aktualizacja | Uuendatud',
    'solved_at / Solved at / Solved':
      'Gelöst am / Gelöst | Résolu à / Résolu le / Résolu | Resuelto a las / Resuelto | Resolvido em / Resolvido | Resolvido em / Resolvido | Risolto il / Risolto | Opgelost op / Opgelost | Rozwiązano | Lahendatud',
    'status_updated_at / Status updated at': '',
    'Requester / Requester name':
      'Anfragender / Anfragesteller / Antragsteller | Demandeur | Solicitante | Requerente / Solicitante | Solicitante | Richiedente | Aanvrager | Zgłaszający | Pöörduja / Esitaja',
    'Requester email':
      'E-Mail-Adresse des Anfragenden / E-Mail des Anfragenden | E-mail du demandeur / Adresse e-mail du demandeur | Correo electrónico del solicitante | Email do requerente | E-mail do solicitante | E-mail richiedente / E-mail del richiedente | E-mail van aanvrager / E-mailadres aanvrager | E-mail zgłaszającego |',
    'Requester phone': '',
    'Submitter / Submitter name':
      'Absender / Einreicher | Émetteur / Auteur de l’envoi | Remitente / Emisor | Remetente | Remetente | Mittente | Indiener | Osoba przesyłająca |',
    'Assignee / Assignee name':
      'Mitarbeiter / Zugewiesener Mitarbeiter / Zugewiesen an | Assigné / Agent assigné | Agente asignado / Asignado / Asignado a | Atribuído / Agente atribuído | Atribuído / Responsável | Assegnatario | Toegewezene / Toegewezen aan | Osoba przypisana / Przypisany | Vastutaja',
    'Group / Assigned group': 'Gruppe | Groupe | Grupo | Grupo | Grupo | Gruppo | Groep | Grupa | Grupp',
    'Organization / Requester organization':
      'Organisation | Organisation | Organización | Organização | Organização | Organizzazione | Organisatie | Organizacja | Organisatsioon',
    'satisfaction_rating / Satisfaction Score / Satisfaction':
      'Zufriedenheit | Satisfaction | Satisfacción | Satisfação | Satisfação | Soddisfazione | Tevredenheid | Zadowolenie |',
    'Due / Due date':
      'Fälligkeitsdatum | Date d’échéance / Échéance | Fecha de vencimiento | Data de vencimento | Data de vencimento / Data de conclusão | Data di scadenza | Einddatum / Vervaldatum | Termin | Tähtaeg',
    'Type / Ticket type':
      'Typ / Tickettyp | Type / Type de ticket | Tipo / Tipo de ticket | Tipo | Tipo / Tipo de ticket | Tipo / Tipo di ticket | Tickettype | Typ / Typ zgłoszenia | Tüüp',
  },
  states: {
    new: { 'new / New': 'Neu | Nouveau | Nuevo | Novo | Novo | Nuovo | Nieuw | Nowe / Nowy | Uus' },
    open: { 'open / Open': 'Offen | Ouvert | Abierto | Aberto | Aberto | Aperto | | Otwarte / Otwarty | Avatud' },
    on_hold: {
      'pending / Pending':
        'Wartend | En attente | Pendiente | Pendente | Pendente | In attesa | In behandeling / Wachtend | Oczekujące / Oczekujący | Ootel',
      'hold / On-hold / On hold':
        'Angehalten | En pause | En espera | Em espera | Em espera | In pausa / In sospeso | In de wacht | Wstrzymane / Wstrzymany | Peatatud',
    },
    resolved: {
      'solved / Solved':
        'Gelöst | Résolu | Resuelto | Resolvido | Resolvido | Risolto | Opgelost | Rozwiązane / Rozwiązany | Lahendatud',
    },
    closed: {
      'closed / Closed':
        'Geschlossen | Clos / Fermé | Cerrado | Fechado | Fechado | Chiuso | Gesloten | Zamknięte / Zamknięty | Suletud',
    },
    canceled: {
      'deleted / Deleted':
        'Gelöscht | Supprimé | Eliminado | Eliminado | Excluído | Eliminato | Verwijderd | Usunięte | Kustutatud',
    },
  },
  priorities: {
    0: { 'low / Low': 'Niedrig | Basse / Faible | Baja / Bajo | Baixa | Baixa / Baixo | Bassa | Laag | Niski | Madal' },
    1: { 'normal / Normal': 'Normal | Normale | Normal | Normal | Normal | Normale | Normaal | Normalny | Tavaline' },
    2: { 'high / High': 'Hoch | Élevée / Haute | Alta / Alto | Alta | Alta / Alto | Alta | Hoog | Wysoki | Kõrge' },
    3: {
      'urgent / Urgent':
        'Dringend | Urgente / Urgent | Urgente | Urgente | Urgente | Urgente | Dringend | Pilny / Pilne | Kiire',
    },
  },
})
