-- A store as release 0.2 (ce91166) wrote it: three seeded games and an open table; of the outbox the last four rows a table.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0014');
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	guild VARCHAR NOT NULL, 
	at INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	words TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE calls (
	user VARCHAR NOT NULL, 
	reminders BOOLEAN NOT NULL, 
	quiet_from INTEGER NOT NULL, 
	quiet_to INTEGER NOT NULL, 
	zone VARCHAR NOT NULL, place VARCHAR DEFAULT 'table' NOT NULL, delay INTEGER DEFAULT '0' NOT NULL, every INTEGER DEFAULT '0' NOT NULL, most INTEGER DEFAULT '5' NOT NULL, digest INTEGER DEFAULT '-1' NOT NULL, digested VARCHAR DEFAULT '' NOT NULL, away_from INTEGER DEFAULT '0' NOT NULL, away_to INTEGER DEFAULT '0' NOT NULL, away_note VARCHAR DEFAULT '' NOT NULL, on_deck BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (user)
);
CREATE TABLE contact (
	id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	epoch INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	tries INTEGER NOT NULL, 
	until INTEGER NOT NULL, 
	asked INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (address)
);
CREATE TABLE draft (
	game INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	path VARCHAR NOT NULL, 
	typed TEXT NOT NULL, basket TEXT DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (game, user), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE game (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	options TEXT NOT NULL, 
	seed INTEGER NOT NULL, 
	rules INTEGER NOT NULL, 
	places INTEGER NOT NULL, 
	host VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	pace VARCHAR NOT NULL, 
	privacy VARCHAR NOT NULL, 
	seating VARCHAR NOT NULL, 
	guild VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	thread VARCHAR NOT NULL, 
	message VARCHAR NOT NULL, 
	created INTEGER NOT NULL, 
	expires INTEGER NOT NULL, 
	started INTEGER, 
	ended INTEGER, 
	turn_from INTEGER NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	interaction VARCHAR, clock TEXT DEFAULT '' NOT NULL, imported BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (interaction)
);
INSERT INTO "game" VALUES(1,'1860: Railways on the Isle of Wight','1860','{}',7,1,3,'1','running','relaxed','open','as joined','','','','',1800000000,1801209600,1800000000,NULL,40,'695fedc65ed284ed','',NULL,'',0);
INSERT INTO "game" VALUES(2,'1862: Railway Mania in the Eastern Counties','1862','{}',7,1,3,'1','running','relaxed','open','as joined','','','','',1800002400,1801212000,1800002400,NULL,40,'695fedc65ed284ed','',NULL,'',0);
INSERT INTO "game" VALUES(3,'Steel Driver','steel_driver','{}',7,1,3,'1','running','relaxed','open','as joined','','','','',1800004800,1801214400,1800004800,NULL,20,'695fedc65ed284ed','',NULL,'',0);
INSERT INTO "game" VALUES(4,'1860: Railways on the Isle of Wight','1860','{}',8,1,4,'2','open','relaxed','open','random','','','','',1800006000,1801215600,NULL,NULL,0,'5eb3398bcc1d94a5','',NULL,'',0);
CREATE TABLE invite (
	game INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	at INTEGER NOT NULL, 
	PRIMARY KEY (game, user), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE lease (
	name VARCHAR NOT NULL, 
	holder VARCHAR NOT NULL, 
	until INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE letter (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	user VARCHAR NOT NULL, 
	payload TEXT NOT NULL, 
	offers TEXT NOT NULL, 
	state VARCHAR NOT NULL, 
	due INTEGER NOT NULL, 
	attempts INTEGER NOT NULL, 
	handed INTEGER NOT NULL, 
	error VARCHAR NOT NULL, 
	created INTEGER NOT NULL, 
	sent INTEGER, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
CREATE TABLE log (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	payload TEXT NOT NULL, 
	told TEXT NOT NULL, 
	interaction VARCHAR, 
	at INTEGER NOT NULL, made_by VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT uq_log_game_seq UNIQUE (game, seq), 
	FOREIGN KEY(game) REFERENCES game (id), 
	UNIQUE (interaction)
);
INSERT INTO "log" VALUES(1,1,0,0,'1','{"do":"bid","amount":5}','["Ann bids £5."]',NULL,1800000060,'');
INSERT INTO "log" VALUES(2,1,1,1,'2','{"do":"bid","amount":10}','["Bob bids £10."]',NULL,1800000120,'');
INSERT INTO "log" VALUES(3,1,2,2,'3','{"do":"bid","amount":15}','["Cid bids £15."]',NULL,1800000180,'');
INSERT INTO "log" VALUES(4,1,3,0,'1','{"do":"bid","amount":20}','["Ann bids £20."]',NULL,1800000240,'');
INSERT INTO "log" VALUES(5,1,4,1,'2','{"do":"bid","amount":25}','["Bob bids £25."]',NULL,1800000300,'');
INSERT INTO "log" VALUES(6,1,5,2,'3','{"do":"bid","amount":30}','["Cid bids £30."]',NULL,1800000360,'');
INSERT INTO "log" VALUES(7,1,6,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800000420,'');
INSERT INTO "log" VALUES(8,1,7,1,'2','{"do":"pass"}','["Bob passes.","Cid wins the auction for £30."]',NULL,1800000480,'');
INSERT INTO "log" VALUES(9,1,8,2,'3','{"do":"buy-private","private":"CMH"}','["Cid buys the Cowes Marina & Ferry Company for £90."]',NULL,1800000540,'');
INSERT INTO "log" VALUES(10,1,9,0,'1','{"do":"bid","amount":5}','["Ann bids £5."]',NULL,1800000600,'');
INSERT INTO "log" VALUES(11,1,10,1,'2','{"do":"bid","amount":10}','["Bob bids £10."]',NULL,1800000660,'');
INSERT INTO "log" VALUES(12,1,11,2,'3','{"do":"bid","amount":15}','["Cid bids £15."]',NULL,1800000720,'');
INSERT INTO "log" VALUES(13,1,12,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800000780,'');
INSERT INTO "log" VALUES(14,1,13,1,'2','{"do":"bid","amount":20}','["Bob bids £20."]',NULL,1800000840,'');
INSERT INTO "log" VALUES(15,1,14,2,'3','{"do":"pass"}','["Cid passes.","Bob wins the auction for £20."]',NULL,1800000900,'');
INSERT INTO "log" VALUES(16,1,15,1,'2','{"do":"start","company":"IOW","par":100}','["Bob starts IOW at par £100 for £200."]',NULL,1800000960,'');
INSERT INTO "log" VALUES(17,1,16,2,'3','{"do":"bid","amount":5}','["Cid bids £5."]',NULL,1800001020,'');
INSERT INTO "log" VALUES(18,1,17,0,'1','{"do":"bid","amount":10}','["Ann bids £10."]',NULL,1800001080,'');
INSERT INTO "log" VALUES(19,1,18,1,'2','{"do":"bid","amount":15}','["Bob bids £15."]',NULL,1800001140,'');
INSERT INTO "log" VALUES(20,1,19,2,'3','{"do":"bid","amount":20}','["Cid bids £20."]',NULL,1800001200,'');
INSERT INTO "log" VALUES(21,1,20,0,'1','{"do":"bid","amount":25}','["Ann bids £25."]',NULL,1800001260,'');
INSERT INTO "log" VALUES(22,1,21,1,'2','{"do":"pass"}','["Bob passes."]',NULL,1800001320,'');
INSERT INTO "log" VALUES(23,1,22,2,'3','{"do":"bid","amount":30}','["Cid bids £30."]',NULL,1800001380,'');
INSERT INTO "log" VALUES(24,1,23,0,'1','{"do":"pass"}','["Ann passes.","Cid wins the auction for £30."]',NULL,1800001440,'');
INSERT INTO "log" VALUES(25,1,24,2,'3','{"do":"start","company":"C&N","par":74}','["Cid starts C&N at par £74 for £148."]',NULL,1800001500,'');
INSERT INTO "log" VALUES(26,1,25,0,'1','{"do":"bid","amount":5}','["Ann bids £5."]',NULL,1800001560,'');
INSERT INTO "log" VALUES(27,1,26,1,'2','{"do":"bid","amount":10}','["Bob bids £10."]',NULL,1800001620,'');
INSERT INTO "log" VALUES(28,1,27,2,'3','{"do":"bid","amount":15}','["Cid bids £15."]',NULL,1800001680,'');
INSERT INTO "log" VALUES(29,1,28,0,'1','{"do":"bid","amount":20}','["Ann bids £20."]',NULL,1800001740,'');
INSERT INTO "log" VALUES(30,1,29,1,'2','{"do":"bid","amount":25}','["Bob bids £25."]',NULL,1800001800,'');
INSERT INTO "log" VALUES(31,1,30,2,'3','{"do":"bid","amount":30}','["Cid bids £30."]',NULL,1800001860,'');
INSERT INTO "log" VALUES(32,1,31,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800001920,'');
INSERT INTO "log" VALUES(33,1,32,1,'2','{"do":"pass"}','["Bob passes.","Cid wins the auction for £30."]',NULL,1800001980,'');
INSERT INTO "log" VALUES(34,1,33,2,'3','{"do":"buy-private","private":"RPSC"}','["Cid buys the Ryde Pier & Ferry Company for £130."]',NULL,1800002040,'');
INSERT INTO "log" VALUES(35,1,34,0,'1','{"do":"bid","amount":5}','["Ann bids £5."]',NULL,1800002100,'');
INSERT INTO "log" VALUES(36,1,35,1,'2','{"do":"bid","amount":10}','["Bob bids £10."]',NULL,1800002160,'');
INSERT INTO "log" VALUES(37,1,36,2,'3','{"do":"bid","amount":15}','["Cid bids £15."]',NULL,1800002220,'');
INSERT INTO "log" VALUES(38,1,37,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800002280,'');
INSERT INTO "log" VALUES(39,1,38,1,'2','{"do":"pass"}','["Bob passes.","Cid wins the auction for £15."]',NULL,1800002340,'');
INSERT INTO "log" VALUES(40,1,39,2,'3','{"do":"buy-private","private":"BHC"}','["Cid buys the Brading Harbour Company for £30."]',NULL,1800002400,'');
INSERT INTO "log" VALUES(41,2,0,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800002460,'');
INSERT INTO "log" VALUES(42,2,1,1,'2','{"do":"pass"}','["Bob passes."]',NULL,1800002520,'');
INSERT INTO "log" VALUES(43,2,2,2,'3','{"do":"pass"}','["Cid passes.","Parliament 1 (PR 1), once more, begins."]',NULL,1800002580,'');
INSERT INTO "log" VALUES(44,2,3,0,'1','{"do":"bid","company":"L&H","amount":0}','["Ann bids £0 for L&H."]',NULL,1800002640,'');
INSERT INTO "log" VALUES(45,2,4,1,'2','{"do":"bid","company":"L&H","amount":5}','["Bob bids £5 for L&H."]',NULL,1800002700,'');
INSERT INTO "log" VALUES(46,2,5,2,'3','{"do":"bid","company":"L&H","amount":10}','["Cid bids £10 for L&H."]',NULL,1800002760,'');
INSERT INTO "log" VALUES(47,2,6,0,'1','{"do":"bid","company":"L&H","amount":15}','["Ann bids £15 for L&H."]',NULL,1800002820,'');
INSERT INTO "log" VALUES(48,2,7,1,'2','{"do":"pass"}','["Bob passes."]',NULL,1800002880,'');
INSERT INTO "log" VALUES(49,2,8,2,'3','{"do":"bid","company":"L&H","amount":20}','["Cid bids £20 for L&H."]',NULL,1800002940,'');
INSERT INTO "log" VALUES(50,2,9,0,'1','{"do":"pass"}','["Ann passes.","Cid gets the charter of L&H for £20."]',NULL,1800003000,'');
INSERT INTO "log" VALUES(51,2,10,2,'3','{"do":"start","company":"L&H","price":74}','["Cid starts L&H at par £74 for £222."]',NULL,1800003060,'');
INSERT INTO "log" VALUES(52,2,11,2,'3','{"do":"buy","company":"L&H","source":"ipo"}','["Cid buys 10 % L&H from the IPO for £74."]',NULL,1800003120,'');
INSERT INTO "log" VALUES(53,2,12,2,'3','{"do":"buy","company":"L&H","source":"ipo"}','["Cid buys 10 % L&H from the IPO for £74.","L&H floats with £740.","L&H buys 3 station markers for £180."]',NULL,1800003180,'');
INSERT INTO "log" VALUES(54,2,13,0,'1','{"do":"pass"}','["Ann passes."]',NULL,1800003240,'');
INSERT INTO "log" VALUES(55,2,14,1,'2','{"do":"bid","company":"SVR","amount":0}','["Bob bids £0 for SVR."]',NULL,1800003300,'');
INSERT INTO "log" VALUES(56,2,15,2,'3','{"do":"bid","company":"SVR","amount":5}','["Cid bids £5 for SVR."]',NULL,1800003360,'');
INSERT INTO "log" VALUES(57,2,16,0,'1','{"do":"bid","company":"SVR","amount":10}','["Ann bids £10 for SVR."]',NULL,1800003420,'');
INSERT INTO "log" VALUES(58,2,17,1,'2','{"do":"bid","company":"SVR","amount":15}','["Bob bids £15 for SVR."]',NULL,1800003480,'');
INSERT INTO "log" VALUES(59,2,18,2,'3','{"do":"pass"}','["Cid passes."]',NULL,1800003540,'');
INSERT INTO "log" VALUES(60,2,19,0,'1','{"do":"bid","company":"SVR","amount":20}','["Ann bids £20 for SVR."]',NULL,1800003600,'');
INSERT INTO "log" VALUES(61,2,20,1,'2','{"do":"bid","company":"SVR","amount":25}','["Bob bids £25 for SVR."]',NULL,1800003660,'');
INSERT INTO "log" VALUES(62,2,21,0,'1','{"do":"pass"}','["Ann passes.","Bob gets the charter of SVR for £25."]',NULL,1800003720,'');
INSERT INTO "log" VALUES(63,2,22,1,'2','{"do":"start","company":"SVR","price":74}','["Bob starts SVR at par £74 for £222."]',NULL,1800003780,'');
INSERT INTO "log" VALUES(64,2,23,1,'2','{"do":"buy","company":"SVR","source":"ipo"}','["Bob buys 10 % SVR from the IPO for £74."]',NULL,1800003840,'');
INSERT INTO "log" VALUES(65,2,24,1,'2','{"do":"buy","company":"SVR","source":"ipo"}','["Bob buys 10 % SVR from the IPO for £74.","SVR floats with £740.","SVR buys 3 station markers for £180.","Cid passes."]',NULL,1800003900,'');
INSERT INTO "log" VALUES(66,2,25,0,'1','{"do":"bid","company":"WNR","amount":0}','["Ann bids £0 for WNR."]',NULL,1800003960,'');
INSERT INTO "log" VALUES(67,2,26,1,'2','{"do":"bid","company":"WNR","amount":5}','["Bob bids £5 for WNR."]',NULL,1800004020,'');
INSERT INTO "log" VALUES(68,2,27,2,'3','{"do":"bid","company":"WNR","amount":10}','["Cid bids £10 for WNR."]',NULL,1800004080,'');
INSERT INTO "log" VALUES(69,2,28,0,'1','{"do":"bid","company":"WNR","amount":15}','["Ann bids £15 for WNR."]',NULL,1800004140,'');
INSERT INTO "log" VALUES(70,2,29,1,'2','{"do":"bid","company":"WNR","amount":20}','["Bob bids £20 for WNR."]',NULL,1800004200,'');
INSERT INTO "log" VALUES(71,2,30,2,'3','{"do":"bid","company":"WNR","amount":25}','["Cid bids £25 for WNR."]',NULL,1800004260,'');
INSERT INTO "log" VALUES(72,2,31,0,'1','{"do":"bid","company":"WNR","amount":30}','["Ann bids £30 for WNR."]',NULL,1800004320,'');
INSERT INTO "log" VALUES(73,2,32,1,'2','{"do":"pass"}','["Bob passes."]',NULL,1800004380,'');
INSERT INTO "log" VALUES(74,2,33,2,'3','{"do":"bid","company":"WNR","amount":35}','["Cid bids £35 for WNR."]',NULL,1800004440,'');
INSERT INTO "log" VALUES(75,2,34,0,'1','{"do":"pass"}','["Ann passes.","Cid gets the charter of WNR for £35."]',NULL,1800004500,'');
INSERT INTO "log" VALUES(76,2,35,2,'3','{"do":"start","company":"WNR","price":62}','["Cid starts WNR at par £62 for £186."]',NULL,1800004560,'');
INSERT INTO "log" VALUES(77,2,36,2,'3','{"do":"buy","company":"WNR","source":"ipo"}','["Cid buys 10 % WNR from the IPO for £62."]',NULL,1800004620,'');
INSERT INTO "log" VALUES(78,2,37,2,'3','{"do":"buy","company":"WNR","source":"ipo"}','["Cid buys 10 % WNR from the IPO for £62.","WNR floats with £620.","WNR buys 3 station markers for £180."]',NULL,1800004680,'');
INSERT INTO "log" VALUES(79,2,38,0,'1','{"do":"bid","company":"I&B","amount":0}','["Ann bids £0 for I&B."]',NULL,1800004740,'');
INSERT INTO "log" VALUES(80,2,39,1,'2','{"do":"bid","company":"I&B","amount":5}','["Bob bids £5 for I&B.","Cid passes."]',NULL,1800004800,'');
INSERT INTO "log" VALUES(81,3,0,0,'1','{"do":"open","company":"black","amount":2}','["Ann puts Black up for auction at 2."]',NULL,1800004860,'');
INSERT INTO "log" VALUES(82,3,1,1,'2','{"do":"raise","amount":3}','["Bob bids 3 for Black."]',NULL,1800004920,'');
INSERT INTO "log" VALUES(83,3,2,2,'3','{"do":"raise","amount":4}','["Cid bids 4 for Black."]',NULL,1800004980,'');
INSERT INTO "log" VALUES(84,3,3,0,'1','{"do":"raise","amount":5}','["Ann bids 5 for Black."]',NULL,1800005040,'');
INSERT INTO "log" VALUES(85,3,4,1,'2','{"do":"pass"}','["Bob drops out."]',NULL,1800005100,'');
INSERT INTO "log" VALUES(86,3,5,2,'3','{"do":"pass"}','["Cid drops out.","Ann wins Black for 5 (treasury 5); the marker goes to Bob."]',NULL,1800005160,'');
INSERT INTO "log" VALUES(87,3,6,1,'2','{"do":"open","company":"yellow","amount":2}','["Bob puts Yellow up for auction at 2."]',NULL,1800005220,'');
INSERT INTO "log" VALUES(88,3,7,2,'3','{"do":"raise","amount":3}','["Cid bids 3 for Yellow."]',NULL,1800005280,'');
INSERT INTO "log" VALUES(89,3,8,0,'1','{"do":"raise","amount":4}','["Ann bids 4 for Yellow."]',NULL,1800005340,'');
INSERT INTO "log" VALUES(90,3,9,1,'2','{"do":"pass"}','["Bob drops out."]',NULL,1800005400,'');
INSERT INTO "log" VALUES(91,3,10,2,'3','{"do":"pass"}','["Cid drops out.","Ann wins Yellow for 4 (treasury 4); the marker goes to Cid."]',NULL,1800005460,'');
INSERT INTO "log" VALUES(92,3,11,2,'3','{"do":"open","company":"blue","amount":2}','["Cid puts Blue up for auction at 2.","Ann has too few cubes to go above 2 and is out."]',NULL,1800005520,'');
INSERT INTO "log" VALUES(93,3,12,1,'2','{"do":"raise","amount":3}','["Bob bids 3 for Blue."]',NULL,1800005580,'');
INSERT INTO "log" VALUES(94,3,13,2,'3','{"do":"raise","amount":4}','["Cid bids 4 for Blue."]',NULL,1800005640,'');
INSERT INTO "log" VALUES(95,3,14,1,'2','{"do":"pass"}','["Bob drops out.","Cid wins Blue for 4 (treasury 4); the marker goes to Ann."]',NULL,1800005700,'');
INSERT INTO "log" VALUES(96,3,15,0,'1','{"do":"open","company":"green","amount":1}','["Ann puts Green up for auction at 1."]',NULL,1800005760,'');
INSERT INTO "log" VALUES(97,3,16,1,'2','{"do":"raise","amount":2}','["Bob bids 2 for Green."]',NULL,1800005820,'');
INSERT INTO "log" VALUES(98,3,17,2,'3','{"do":"raise","amount":3}','["Cid bids 3 for Green.","Ann has too few cubes to go above 3 and is out."]',NULL,1800005880,'');
INSERT INTO "log" VALUES(99,3,18,1,'2','{"do":"raise","amount":4}','["Bob bids 4 for Green."]',NULL,1800005940,'');
INSERT INTO "log" VALUES(100,3,19,2,'3','{"do":"raise","amount":5}','["Cid bids 5 for Green."]',NULL,1800006000,'');
CREATE TABLE note (
	name VARCHAR NOT NULL, 
	words TEXT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	payload TEXT NOT NULL, 
	state VARCHAR NOT NULL, 
	due INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	attempts INTEGER NOT NULL, 
	error VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	message VARCHAR NOT NULL, 
	created INTEGER NOT NULL, 
	sent INTEGER, handed INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES game (id), 
	UNIQUE ("key")
);
INSERT INTO "outbox" VALUES(203,1,'1:turn:40','turn','{"post":"turn","game":1,"version":40,"turn_from":40,"actors":[{"number":0,"user":"1","name":"Ann","proxy":"","proxy_name":"","stand_in":false,"once":false}],"mention":["1"],"quiet":true,"ask":{"seats":[0],"headline":"Auction 6 of 6","kind":"bid or pass","lines":["Nobody has bid yet.","Bid £5 to £620, or pass; the winner picks a lot and pays its price too.","Lots left: Yarmouth Port & Shipping Company (YHC, £50)."],"company":"","pictures":["lots"],"rules":["2.2","2.3"]}}','owed',1800002400,0,0,'','','',1800002400,NULL,0);
INSERT INTO "outbox" VALUES(204,1,'1:pictures:40','pictures','{"post":"pictures","game":1,"version":40,"move":40,"since":39,"pictures":["lots"],"follows":"1:turn:40"}','owed',1800002400,0,0,'','','',1800002400,NULL,0);
INSERT INTO "outbox" VALUES(205,1,'1:ping:40','ping','{"post":"ping","game":1,"turn_from":40,"mention":["1"],"headline":"Auction 6 of 6","follows":"1:turn:40"}','owed',1800002520,0,0,'','','',1800002400,NULL,0);
INSERT INTO "outbox" VALUES(206,1,'1:reminder:40:1','reminder','{"post":"reminder","game":1,"turn_from":40,"mention":["1"],"headline":"Auction 6 of 6","follows":"1:turn:40","since":1800002400,"number":1,"wait":86400}','owed',1800088800,0,0,'','','',1800002400,NULL,0);
INSERT INTO "outbox" VALUES(379,2,'2:turn:40','turn','{"post":"turn","game":2,"version":40,"turn_from":40,"actors":[{"number":0,"user":"1","name":"Ann","proxy":"","proxy_name":"","stand_in":false,"once":false}],"mention":["1"],"quiet":true,"ask":{"seats":[0],"headline":"The charter of Ipswich & Bury Railway (I&B, PR 1)","kind":"bid or pass","lines":["Bob leads with £5. Raise to £10, or up to £635, or pass and be out. Passed: Cid."],"company":"I&B","pictures":["parliament","market"],"rules":["3.2","3.3"]}}','owed',1800004800,0,0,'','','',1800004800,NULL,0);
INSERT INTO "outbox" VALUES(380,2,'2:pictures:40','pictures','{"post":"pictures","game":2,"version":40,"move":40,"since":39,"pictures":["parliament","market"],"follows":"2:turn:40"}','owed',1800004800,0,0,'','','',1800004800,NULL,0);
INSERT INTO "outbox" VALUES(381,2,'2:ping:40','ping','{"post":"ping","game":2,"turn_from":40,"mention":["1"],"headline":"The charter of Ipswich & Bury Railway (I&B, PR 1)","follows":"2:turn:40"}','owed',1800004920,0,0,'','','',1800004800,NULL,0);
INSERT INTO "outbox" VALUES(382,2,'2:reminder:40:1','reminder','{"post":"reminder","game":2,"turn_from":40,"mention":["1"],"headline":"The charter of Ipswich & Bury Railway (I&B, PR 1)","follows":"2:turn:40","since":1800004800,"number":1,"wait":86400}','owed',1800091200,0,0,'','','',1800004800,NULL,0);
INSERT INTO "outbox" VALUES(480,3,'3:turn:20','turn','{"post":"turn","game":3,"version":20,"turn_from":20,"actors":[{"number":1,"user":"2","name":"Bob","proxy":"","proxy_name":"","stand_in":false,"once":false}],"mention":["2"],"quiet":true,"ask":{"seats":[1],"headline":"Auction of Green (turn 1 of 5), 5 cubes bid","kind":"raise or drop out","lines":["Cid leads with 5 of 6 cubes. You have 10 cubes; nobody else is still in.","Green: treasury 0, 17 links left. It has no track yet: it may start at any hexagon."],"company":"GRN","pictures":["boxes"],"rules":["4.3","4.4"]}}','owed',1800006000,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(481,3,'3:pictures:20','pictures','{"post":"pictures","game":3,"version":20,"move":20,"since":19,"pictures":["boxes"],"follows":"3:turn:20"}','owed',1800006000,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(482,3,'3:ping:20','ping','{"post":"ping","game":3,"turn_from":20,"mention":["2"],"headline":"Auction of Green (turn 1 of 5), 5 cubes bid","follows":"3:turn:20"}','owed',1800006120,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(483,3,'3:reminder:20:1','reminder','{"post":"reminder","game":3,"turn_from":20,"mention":["2"],"headline":"Auction of Green (turn 1 of 5), 5 cubes bid","follows":"3:turn:20","since":1800006000,"number":1,"wait":86400}','owed',1800092400,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(484,4,'4:lobby','lobby','{"post":"lobby","game":4}','owed',1800006000,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(485,4,'4:nudge','notice','{"post":"notice","game":4,"text":"“1860: Railways on the Isle of Wight” is still looking for players; it closes in 4 days.","mention":["2"],"lot":""}','owed',1800870000,0,0,'','','',1800006000,NULL,0);
INSERT INTO "outbox" VALUES(486,4,'4:expire','expire','{"post":"expire","game":4}','owed',1801215600,0,0,'','','',1800006000,NULL,0);
CREATE TABLE own_note (
	game INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	words TEXT NOT NULL, 
	PRIMARY KEY (game, user), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE "proposal" (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	proposer VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	needed TEXT NOT NULL, 
	state VARCHAR NOT NULL, 
	created INTEGER NOT NULL, 
	expires INTEGER NOT NULL, 
	interaction VARCHAR, 
	subject VARCHAR DEFAULT ('') NOT NULL, 
	terms TEXT DEFAULT ('') NOT NULL, 
	voters TEXT DEFAULT '[]' NOT NULL, 
	enough INTEGER DEFAULT '0' NOT NULL, 
	absent VARCHAR DEFAULT ('') NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (interaction), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE score (
	game INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	total INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE seat (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	joined INTEGER NOT NULL, 
	gone INTEGER, 
	replaced_by VARCHAR, proxy VARCHAR DEFAULT '' NOT NULL, proxy_name VARCHAR DEFAULT '' NOT NULL, stand_in BOOLEAN DEFAULT 0 NOT NULL, once BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES game (id)
);
INSERT INTO "seat" VALUES(1,1,0,'1','Ann',1800000000,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(2,1,1,'2','Bob',1800000000,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(3,1,2,'3','Cid',1800000000,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(4,2,0,'1','Ann',1800002400,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(5,2,1,'2','Bob',1800002400,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(6,2,2,'3','Cid',1800002400,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(7,3,0,'1','Ann',1800004800,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(8,3,1,'2','Bob',1800004800,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(9,3,2,'3','Cid',1800004800,NULL,NULL,'','',0,0);
INSERT INTO "seat" VALUES(10,4,0,'2','Bob',1800006000,NULL,NULL,'','',0,0);
CREATE TABLE server (
	guild VARCHAR NOT NULL, 
	rules TEXT NOT NULL, 
	PRIMARY KEY (guild)
);
CREATE TABLE standing_order (
	id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES game (id)
);
CREATE TABLE style (
	user VARCHAR NOT NULL, 
	palette VARCHAR NOT NULL, 
	text_first BOOLEAN NOT NULL, 
	PRIMARY KEY (user)
);
CREATE TABLE vote (
	proposal INTEGER NOT NULL, 
	user VARCHAR NOT NULL, 
	yes BOOLEAN NOT NULL, 
	at INTEGER NOT NULL, 
	PRIMARY KEY (proposal, user), 
	FOREIGN KEY(proposal) REFERENCES proposal (id)
);
CREATE INDEX ix_game_state ON game (state);
CREATE INDEX ix_game_thread ON game (thread);
CREATE INDEX ix_seat_game ON seat (game);
CREATE INDEX ix_seat_user ON seat (user);
CREATE INDEX ix_outbox_game ON outbox (game);
CREATE INDEX ix_outbox_state_due ON outbox (state, due);
CREATE UNIQUE INDEX uq_seat_held ON seat (game, number) WHERE gone IS NULL;
CREATE INDEX ix_proposal_game ON proposal (game);
CREATE INDEX ix_standing_order_game ON standing_order (game);
CREATE INDEX ix_audit_guild ON audit (guild);
CREATE INDEX ix_contact_user ON contact (user);
CREATE INDEX ix_letter_state_due ON letter (state, due);
CREATE INDEX ix_score_user ON score (user);
COMMIT;
