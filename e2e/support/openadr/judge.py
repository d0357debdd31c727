"""Judges objects of OpenADR 3.1 with the Python packages of ElaadNL. Reads a question in each line, and answers in one."""

import json
import sys

from openadr3_client.oadr310.models.event.event import ExistingEvent
from openadr3_client.oadr310.models.program.program import ExistingProgram
from openadr3_client.oadr310.models.report.report import ExistingReport, NewReport
from openadr3_client.oadr310.models.resource.resource import ExistingResource, NewResourceVenRequest
from openadr3_client.oadr310.models.subscriptions.subscription import ExistingSubscription
from openadr3_client.oadr310.models.ven.ven import ExistingVen, NewVenVenRequest
from openadr3_client.ven.http_factory import VirtualEndNodeHttpClientFactory
from openadr3_client.version import OADRVersion
from openadr3_client_gac_compliance.gac22.event_gac_compliant import validate_event_gac_compliant
from openadr3_client_nlflex_compliance.nlflex10.event_nlflex_compliant import validate_event_nlflex_compliant
from openadr3_client_nlflex_compliance.nlflex10.report_nlflex_compliant import (
    report_kind,
    validate_flex_delivery_report_compliant,
    validate_report_nlflex_compliant,
)
from pydantic import ValidationError

MODELS = {
    "EVENT": ExistingEvent,
    "PROGRAM": ExistingProgram,
    "REPORT": ExistingReport,
    "RESOURCE": ExistingResource,
    "SUBSCRIPTION": ExistingSubscription,
    "VEN": ExistingVen,
}


def judged(question):
    model = MODELS[question["type"]].model_validate(question["object"])
    profile = question.get("profile")
    errors = []
    kind = None
    if profile == "gac-2.2":
        errors += validate_event_gac_compliant(model) or []
    elif profile == "nlflex-1.0" and question["type"] == "EVENT":
        errors += validate_event_nlflex_compliant(model) or []
    elif profile == "nlflex-1.0":
        kind = report_kind(model)
        errors += validate_report_nlflex_compliant(model) or []
        if "event" in question:
            event = ExistingEvent.model_validate(question["event"])
            errors += validate_flex_delivery_report_compliant(model, event_intervals=event.intervals) or []
    return {"kind": kind, "problems": [error["type"].message() for error in errors]}


def problems_of(error):
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found]


def visited(visit):
    client = VirtualEndNodeHttpClientFactory.create_http_ven_client(
        vtn_base_url=visit["baseUrl"],
        client_id=visit["clientId"],
        client_secret=visit["clientSecret"],
        token_url=visit.get("tokenUrl"),
        allow_insecure_http=True,
        version=OADRVersion.OADR_310,
    )
    programs = client.programs.get_programs(None, None)
    events = client.events.get_events(None, None, programs[0].id)
    ven = client.vens.create_ven(NewVenVenRequest(ven_name=visit["venName"]))
    vens = client.vens.get_vens(visit["venName"], None, None)
    resource = client.resources.create_resource(NewResourceVenRequest(resource_name="battery", ven_id=ven.id))
    resources = client.resources.get_resources(ven.id, "battery")
    interval = {"id": 0, "payloads": [{"type": "ACK", "values": [True]}]}
    report = NewReport.model_validate(
        {
            "eventID": events[0].id,
            "clientName": visit["venName"],
            "reportName": "ACK",
            "resources": [{"resourceName": "battery", "intervals": [interval]}],
        }
    )
    sent = client.reports.create_report(report)
    reports = client.reports.get_reports(None, None, events[0].id, visit["venName"])
    return {
        "programs": [program.program_name for program in programs],
        "events": [event.event_name for event in events],
        "vens": [found.id == ven.id for found in vens],
        "resources": [found.id == resource.id for found in resources],
        "reports": [found.id == sent.id for found in reports],
    }


for line in sys.stdin:
    question = json.loads(line)
    try:
        answer = {"seen": visited(question["visit"])} if "visit" in question else judged(question)
    except ValidationError as error:
        answer = {"kind": None, "problems": problems_of(error), "problem": "; ".join(problems_of(error))}
    except Exception as error:  # noqa: BLE001 - what a VTN answers wrong
        answer = {"problem": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
