package dbschema

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Record: "create table a(b);"},
	"tables":      {Record: "create table a%d(b);"},
	"dropped":     {Record: "drop table if exists a;create table a(b);"},
	"columns":     {Before: "create table a(", Record: "b%d int,", After: "c int);"},
	"seeded":      {Before: "CREATE TABLE `cl_clients` (", Record: "`client_id` int,", After: "c int);"},
	"keys":        {Before: "create table cl_clients(client_id int", Record: ",key k%d (client_id)", After: ");"},
	"unique":      {Before: "create table cl_clients(client_id int", Record: ",unique(client_id)", After: ");"},
	"conditions":  {Before: "create table a(b int", Record: ",check(b>%d)", After: ");"},
	"condition":   {Before: "create table a(b int check(b in(1", Record: ",%d", After: ")));"},
	"odd tables":  {Record: "create table a%d(b int check(abs(b)>1));"},
	"members":     {Before: "create table cl_clients(title enum('a'", Record: ",'%d'", After: "));"},
	"options":     {Before: "create table a(b int)", Record: " a%d=1"},
	"indexes":     {Before: "create table a(b int);", Record: "create index i%d on a(b);"},
	"rows":        {Before: "insert into a values (1)", Record: ",(%d)", After: ";"},
	"statements":  {Record: "set a=%d;"},
	"views":       {Record: "create view v%d as select 1;"},
	"altered":     {Before: "alter table a add b int", Record: ",add c%d int", After: ";"},
	"references":  {Before: "create table a(b int", Record: ",foreign key(b) references a%d(b)", After: ");"},
	"constraints": {Before: "create table a(b int", Record: " constraint a%d foreign key (", After: ");"},
	"names":       {Record: "key (create table drop table if exists a%d "},
	"comments":    {Record: "-- %d\n"},
	"beside":      {Before: "create table a(", Record: "b%d int, -- a\n", After: "c int);"},
	"quotes":      {Record: "create table `a%d (`b` int, c text default 'x);\n"},
	"blanks":      {Record: ",\n \t\n"},
	"lines":       {Record: "a %d\n"},
}
