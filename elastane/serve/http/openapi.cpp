#include "elastane/serve/http/openapi.h"

namespace elastane::serve {

const char* const kOpenApi = R"json({
  "openapi": "3.1.0",
  "info": {"title": "Elastane", "version": "1", "description": "Forecasts of streams that learn from every row."},
  "security": [{"bearer": []}],
  "paths": {
    "/v1/streams": {"get": {
      "summary": "Streams by name, or by where compute went",
      "parameters": [
        {"name": "order", "in": "query", "schema": {"enum": ["name", "compute"]}},
        {"name": "after", "in": "query", "schema": {"type": "string"}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 10000}},
        {"name": "map", "in": "query", "description": "with corrections (map) and rows (row_map) per slot of time, the oldest first; slot_seconds says how long one is", "schema": {"type": "string"}}],
      "responses": {"200": {"description": "a page of streams"}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}": {"parameters": [{"$ref": "#/components/parameters/id"}], "delete": {
      "summary": "Erase a stream; a later row of it is number 1",
      "responses": {"204": {"description": "erased"}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}/rows": {"parameters": [{"$ref": "#/components/parameters/id"}], "get": {
      "summary": "Rows, by their numbers",
      "parameters": [
        {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 1}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}}],
      "responses": {"200": {"description": "row, values, time", "content": {"application/x-ndjson": {}}}, "default": {"$ref": "#/components/responses/problem"}}}, "post": {
      "summary": "Add rows, in order; answered when they are on the disk",
      "parameters": [
        {"name": "Elastane-Row", "in": "header", "description": "number of the first row, from 1: rows that were sent before are not added twice", "schema": {"type": "integer", "minimum": 1}},
        {"name": "Prefer", "in": "header", "description": "respond-async: answer before the forecasts are made", "schema": {"type": "string"}}],
      "requestBody": {"required": true, "content": {
        "application/json": {}, "application/x-ndjson": {}, "text/csv": {}}},
      "responses": {
        "200": {"description": "the forecast after each row", "content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/forecast"}}}},
        "202": {"description": "stored"},
        "409": {"description": "rows before these are missing; Elastane-Last-Row names the last one"},
        "413": {"description": "the body is too large"},
        "422": {"description": "a row cannot be read; none was added"},
        "429": {"description": "too many requests wait; Retry-After says when to try again"},
        "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}/forecast": {"parameters": [{"$ref": "#/components/parameters/id"}], "get": {
      "summary": "The forecast after the last row",
      "responses": {"200": {"description": "one forecast", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/forecast"}}}}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}/forecasts": {"parameters": [{"$ref": "#/components/parameters/id"}], "get": {
      "summary": "Stored forecasts, by the numbers of their rows",
      "parameters": [
        {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 1}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}}],
      "responses": {"200": {"description": "forecasts", "content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/forecast"}}}}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}/events": {"parameters": [{"$ref": "#/components/parameters/id"}], "get": {
      "summary": "Forecasts as they are made: server-sent events, whose id is the number of the row",
      "parameters": [{"name": "Last-Event-ID", "in": "header", "description": "continue after this row, without a gap", "schema": {"type": "integer"}}],
      "responses": {"200": {"description": "events", "content": {"text/event-stream": {}}}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/streams/{id}/snapshot": {"parameters": [{"$ref": "#/components/parameters/id"}],
      "get": {"summary": "The state of a stream", "responses": {"200": {"description": "bytes", "content": {"application/octet-stream": {}}}, "default": {"$ref": "#/components/responses/problem"}}},
      "put": {"summary": "Start or replace a stream from such a state", "requestBody": {"required": true, "content": {"application/octet-stream": {}}}, "responses": {"204": {"description": "restored"}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/models": {"get": {"summary": "The current model", "responses": {"200": {"description": "name, channels, targets, horizon"}}}},
    "/v1/models/current": {"put": {"summary": "Swap the model while rows continue", "requestBody": {"required": true, "content": {"application/octet-stream": {}}}, "responses": {"204": {"description": "swapped"}, "default": {"$ref": "#/components/responses/problem"}}}},
    "/v1/fleet": {"get": {"summary": "Partitions, their owners, figures, and how long rows took", "responses": {"200": {"description": "status; step_times has rows by the upper end of their time"}}}},
    "/healthz": {"get": {"summary": "The process answers", "security": [], "responses": {"200": {"description": "it does"}}}},
    "/readyz": {"get": {"summary": "Rows are accepted", "security": [], "responses": {"200": {"description": "they are"}, "503": {"description": "not yet"}}}},
    "/metrics": {"get": {"summary": "Counters for Prometheus", "responses": {"200": {"description": "text", "content": {"text/plain": {}}}}}}
  },
  "components": {
    "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
    "parameters": {"id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string", "maxLength": 256}}},
    "responses": {"problem": {"description": "what went wrong", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/problem"}}}}},
    "schemas": {
      "problem": {"type": "object", "required": ["title", "status"], "properties": {"title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"}}},
      "forecast": {"type": "object", "required": ["row", "id", "forecast", "lower", "upper", "anomaly", "learned", "drift"], "properties": {
        "row": {"type": "integer"}, "id": {"type": "string"}, "time": {},
        "forecast": {"type": ["array", "null"]}, "lower": {"type": ["array", "null"]}, "upper": {"type": ["array", "null"]},
        "anomaly": {"type": "number"}, "learned": {"type": "integer"}, "drift": {"type": ["string", "null"]}}}
    }
  }
}
)json";

}  // namespace elastane::serve
