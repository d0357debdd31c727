import { createLanguages } from '../../parts/languages.ts'

/** Headers of lists, with the groups before them (`Followups - Description`), states and priorities of GLPI 0.90 to 11. */
export const languages = createLanguages({
  columns: {
    ID: '',
    Title: 'Titel | Titre | Título | Título | Título | Titolo | Titel | Tytuł | Pealkiri',
    Description:
      'Beschreibung | | Descripción | Descrição | Descrição | Descrizione | Beschrijving | Opis | Kirjeldus / Sisu',
    Status: '| Statut | Estado | Estado | | Stato | | | Olek / Staatus',
    Priority:
      'Priorität | Priorité | Prioridad | Prioridade | Prioridade | Priorità | Prioriteit | Priorytet | Prioriteet',
    Category:
      'Kategorie | Catégorie | Categoría | Categoria | Categoria | Categoria | Categorie | Kategoria | Valdkond',
    Location:
      'Standort | Lieu | Ubicación / Ubicaciones | Localização | Localização | Posizione | Locatie | Lokalizacja | Asukoht / Asukohad',
    'Opening date':
      "Erstellungsdatum / Eröffnungsdatum / eröffnet am | Date d'ouverture | Fecha de apertura | Data de abertura | Data de abertura | Data di apertura | Begindatum | Data utworzenia | Avatud",
    'Last update':
      'Letzte Aktualisierung | Dernière modification | Última actualización | Última atualização / Última actualização | Última atualização | Ultima modifica | Laatste bewerking / Laatste update | Ostatnia aktualizacja | Viimane uuendus',
    'Resolution date':
      'Datum der Lösung / Lösungsdatum / Gelöst am | Date de résolution | Fecha de resolución | Data de resolução | Data da solução | Data di risoluzione | Datum van de oplossing | Data rozwiązania | Lahendatud',
    'Closing date':
      'Abschlussdatum / Abgeschlossen am | Date de clôture | Fecha de cierre | Data de encerramento | Data de fechamento | Data di chiusura | Afsluitdatum | Data zamknięcia | Suletud',
    Solution:
      'Lösung | | Solución / Soluciones | Solução | Solução | Soluzione | Oplossing / Oplossingen | Rozwiązanie | Lahendus / Lahend / Lahendid',
    Followups:
      'Antworten / Anmerkungen / Nachverfolgungen | Suivis | Seguimientos | Seguimentos / Acompanhamentos | Acompanhamentos | Commenti | Opvolgingen | Dalsze działania / Wiadomości / Śledzenia | Täiendused',
    Tasks:
      'Aufgaben / Tätigkeiten | Tâches | Tareas | Tarefas | Tarefas | Attività / Attivitá / Incarichi | Taken | Zadania | Tegevused',
    'Satisfaction survey':
      'Zufriedenheitsumfrage | Enquête de satisfaction | Encuesta de satisfacción | Inquérito de satisfação | Pesquisa de satisfação | Sondaggio di gradimento | Tevredenheidsenquete | Ankieta satysfakcji / Badanie satysfakcji | Rahulolu uuring',
    Satisfaction:
      'Zufriedenheit | | Satisfacción | Satisfação | Satisfação | Gradimento | Tevredenheid | Zadowolenie | Rahulolu',
    Requester:
      'Anforderer / Antragsteller | Demandeur | Solicitante | Requerente | Requerente | Richiedente / Richiesta da | Aanvrager | Zgłaszający | Taotleja / Nõudja',
    Technician:
      'Techniker | Technicien | Técnico | Técnico | Técnico | Tecnico | Technicus | Realizator | Tehnik / Vastutaja',
    'Observer / Watcher':
      'Beobachter | Observateur | Observador | Observador | Observador | Osservatore / Supervisore | Volger / Volgers | Obserwator | Jälgija / Vaataja / Ülevaataja',
    Writer: 'Autor | Rédacteur | Autor | Autor | Autor | Autore | Auteur | Autor | Sisestaja',
    // Of lists of users.
    'Email / Emails / Email addresses':
      'E-Mail / E-Mails / E-Mail-Adressen | E-mails / Courriel / Courriels / Adresses de messagerie | Correo electrónico / Correos electrónicos | Emails | E-mails | E-mail | E-mails | E-mail / E-maile / Adresy e-mail | E-post / E-kirjad',
    Login:
      'Benutzername / Anmeldename | Identifiant | Usuario / Acceso | Nome de utilizador / Utilizador | Usuário | Nome utente | Inloggen / Log-in | Użytkownik | Kasutajanimi',
    'Surname / Last name':
      'Nachname | Nom de famille / Nom | Apellido / Apellidos | Apelido / Último nome | Sobrenome / Último nome | Cognome | Achternaam | Nazwisko | Perekonnanimi',
    'First name': 'Vorname | Prénom | Nombre | Nome | Nome | Nome | Voornaam | Imię | Eesnimi',
  },
  states: {
    new: {
      New: 'Neu | Nouveau | Nuevo / Nuevos | Novo | Novo | Nuova / Nuovo / Nuove | Nieuw | Nowy / Nowe | Uus / Uued',
    },
    in_progress: {
      'Processing (assigned)':
        'In Bearbeitung (zugewiesen) | En cours (Attribué) | En curso (asignado) / En curso (asignada) | A processar (atribuído) | Em atendimento (atribuído) / Processando (atribuído) | In lavorazione (assegnata) | Bezig met verwerken (toegewezen) | Przypisane / W toku (przypisane) | Töötluses (vastutaja määratud)',
      'Processing (planned)':
        'In Bearbeitung (mit Zeitplan) / In Bearbeitung (geplant) | En cours (Planifié) | En curso (planificada) / En curso (planificado) | A processar (planeado) | Em atendimento (planejado) / Processando (planejado) | In lavorazione (pianificata) | Bezig met verwerken (gepland) | Zaplanowane / W toku (zaplanowane) | Töötluses (planeeritud)',
    },
    on_hold: {
      Pending:
        'Wartend / In der Warteschlange | En attente | En espera | Aguardando / A aguardar | Pendente | In sospeso | Wachten | W trakcie / Oczekujący / Trwające | Ootel',
      Approval:
        'Genehmigung | Validation | Aprobación / Validación | Aprovação / Validação | Aprovação | Convalida | Goedkeuring / Goedkering | Zatwierdzenie | Kinnitus / Kinnitused',
    },
    resolved: {
      Solved:
        'Gelöst | Résolu | Resuelto | Resolvido / Solucionado | Solucionado | Risolto / Risolta | Opgelost | Rozwiązane / Rozwiązany | Lahendatud',
    },
    closed: {
      Closed:
        'Geschlossen / Abgeschlossen | Clos | Cerrado | Encerrado | Fechado | Chiusa / Chiuso | Gesloten | Zamknięte / Zamknięty | Suletud',
    },
  },
  priorities: {
    0: {
      'Very low':
        'Sehr niedrig | Très basse | Muy baja | Muito Baixo | Muito baixa | Molto bassa | Zeer laag | Bardzo Niski | Väga madal',
      Low: 'Niedrig | Basse | Baja | Baixo | Baixa | Bassa | Laag | Niski | Madal',
    },
    1: { Medium: 'Mittel | Moyenne | Media / Mediana | Médio | Média | Media | Gemiddeld | Średni | Keskmine' },
    2: { High: 'Hoch | Haute | Alta | Alto | Alta | Alta | Hoog | Wysoki | Kõrge' },
    3: {
      'Very high':
        'Sehr hoch | Très haute | Muy alta | Muito Alto | Muito alta | Molto alta | Zeer hoog | Bardzo Wysoki | Väga kõrge',
      Major:
        'Kritisch | Majeure | Bloqueante / Mayor / Primordial | Principal | Critica | Massima / Maggiore | Hoogste | Krytyczny | Kriitiline',
    },
  },
})

/** Returns the English name of a column, and of the group before it. */
export function englishColumn(header: string): string {
  return header.split(' - ').map(languages.columnOf).join(' - ')
}
